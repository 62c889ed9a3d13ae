package io.polytable.redis.model.sort;

import java.util.List;
import java.util.Optional;

/**
 * What SORT is asked for.
 *
 * @param by what elements are ordered by; absent for themselves
 * @param gets what is answered for each element; none for the element
 * @param offset how many of the ordered elements are left out first; negative for none
 * @param count how many are taken; negative for all
 * @param reversed whether the highest come first
 * @param byText whether texts are compared, not numbers
 */
public record SortQuery(
        Optional<SortPattern> by, List<SortPattern> gets, long offset, long count, boolean reversed, boolean byText) {

    /** Whether the order is that in which the elements lie: BY something that is the same for all of them. */
    boolean keepsOrder() {
        return by.isPresent() && !(by.get() instanceof SortPattern.OfKey);
    }

    /** Whether keys are read that the command does not name. */
    public boolean readsOtherKeys() {
        return readsWeights() || gets.stream().anyMatch(SortPattern.OfKey.class::isInstance);
    }

    /** Whether what elements are ordered by is in other keys. */
    public boolean readsWeights() {
        return by.filter(SortPattern.OfKey.class::isInstance).isPresent();
    }

    /** As Redis has it for a set that is stored: its own order means nothing, so that texts decide. */
    SortQuery orderedByText() {
        return new SortQuery(Optional.empty(), gets, offset, count, reversed, true);
    }
}
