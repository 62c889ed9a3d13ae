package io.polytable.table.testkit.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Reduces a failing history: drops runs of steps, long ones first, while it still fails. Steps must be valid whatever
 * was dropped before them.
 */
public final class Reducer {
    /** Bounds the attempts, for a history that fails only sometimes. */
    private static final int ATTEMPTS_MAX = 500;

    private Reducer() {}

    /** The shortest history found that still fails; the given one must fail. */
    public static <T> List<T> reduce(List<T> history, Predicate<List<T>> stillFails) {
        List<T> shortest = List.copyOf(history);
        int attempts = 0;
        for (int run = Math.max(1, shortest.size() / 2); run > 0; run /= 2) {
            int from = 0;
            while (from < shortest.size() && attempts++ < ATTEMPTS_MAX) {
                List<T> candidate = without(shortest, from, run);
                if (stillFails.test(candidate)) {
                    shortest = candidate;
                    // Earlier steps may be droppable now, but the next pass with shorter runs tries them.
                } else {
                    from += run;
                }
            }
        }
        return shortest;
    }

    private static <T> List<T> without(List<T> history, int from, int run) {
        List<T> rest = new ArrayList<>(history.subList(0, from));
        rest.addAll(history.subList(Math.min(from + run, history.size()), history.size()));
        return rest;
    }
}
