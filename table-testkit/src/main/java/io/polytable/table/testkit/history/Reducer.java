package io.polytable.table.testkit.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes a failing history short: drops runs of steps, long ones first, as long as it still fails. Steps must make sense
 * whatever was dropped before them.
 */
public final class Reducer {
    /** A history that fails only sometimes would otherwise be tried for ever. */
    private static final int ATTEMPTS_MAX = 500;

    private Reducer() {}

    /** The shortest history found that still fails; the given one fails. */
    public static <T> List<T> reduce(List<T> history, Predicate<List<T>> stillFails) {
        List<T> shortest = List.copyOf(history);
        int attempts = 0;
        for (int run = Math.max(1, shortest.size() / 2); run > 0; run /= 2) {
            int from = 0;
            while (from < shortest.size() && attempts++ < ATTEMPTS_MAX) {
                List<T> candidate = without(shortest, from, run);
                if (stillFails.test(candidate)) {
                    shortest = candidate;
                    // Steps before this place may be droppable now, but the next, shorter run will try them.
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
