package io.polytable.redis.model.sort;

import java.util.List;
import java.util.Optional;

/**
 * The options of SORT.
 *
 * @param by what orders the elements; absent for the elements themselves
 * @param gets what is answered for each element; none for the element
 * @param offset the number of ordered elements to skip; negative for none
 * @param count the number of elements to take; negative for all
 * @param reversed whether the highest come first
 * @param byText whether to compare texts instead of numbers
 */
public record SortQuery(
        Optional<SortPattern> by, List<SortPattern> gets, long offset, long count, boolean reversed, boolean byText) {

    /** Whether the elements stay in their stored order: BY a constant. */
    boolean keepsOrder() {
        return by.isPresent() && !(by.get() instanceof SortPattern.OfKey);
    }

    /** Whether it reads keys that the command does not name. */
    public boolean readsOtherKeys() {
        return readsWeights() || gets.stream().anyMatch(SortPattern.OfKey.class::isInstance);
    }

    /** Whether it reads the weights of elements from other keys. */
    public boolean readsWeights() {
        return by.filter(SortPattern.OfKey.class::isInstance).isPresent();
    }

    /** As in Redis for a set that is stored: its own order means nothing, so it is sorted as text. */
    SortQuery orderedByText() {
        return new SortQuery(Optional.empty(), gets, offset, count, reversed, true);
    }
}
