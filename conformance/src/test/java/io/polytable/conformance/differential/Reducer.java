package io.polytable.conformance.differential;

import io.polytable.conformance.history.History;
import io.polytable.conformance.history.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Reduces a failing history: drops steps, in large and then ever smaller pieces, while it still fails. */
final class Reducer {
    private final Predicate<History> fails;
    private int playsLeft;

    Reducer(Predicate<History> fails, int playsMax) {
        this.fails = fails;
        this.playsLeft = playsMax;
    }

    History reduce(History history) {
        History smallest = history;
        for (int piece = Math.max(1, history.steps().size() / 2); piece >= 1; piece /= 2) {
            History before = smallest;
            smallest = dropPieces(smallest, piece);
            // A step may be droppable only after another went: the last size is tried until nothing goes any more.
            if (piece == 1 && smallest.steps().size() < before.steps().size()) {
                piece = 2;
            }
        }
        return smallest;
    }

    private History dropPieces(History history, int piece) {
        History smallest = history;
        for (int end = smallest.steps().size(); end > 0 && playsLeft > 0; end -= piece) {
            List<Step> rest = new ArrayList<>(smallest.steps());
            rest.subList(Math.max(0, end - piece), end).clear();
            playsLeft--;
            if (fails.test(smallest.with(rest))) {
                smallest = smallest.with(rest);
            }
        }
        return smallest;
    }
}
