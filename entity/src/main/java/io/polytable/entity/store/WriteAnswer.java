package io.polytable.entity.store;

import java.util.List;

/**
 * The result of a write.
 *
 * @param applied false if its check did not hold
 * @param counters the new cells of its increments, in order
 */
public record WriteAnswer(boolean applied, List<StoredCell> counters) {
    public static final WriteAnswer APPLIED = new WriteAnswer(true, List.of());
    public static final WriteAnswer NOT_APPLIED = new WriteAnswer(false, List.of());

    public WriteAnswer {
        counters = List.copyOf(counters);
    }
}
