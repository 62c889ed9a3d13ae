package io.polytable.conformance.differential;

import io.polytable.conformance.history.History;
import java.util.Optional;

/** Runs a history and, if the two servers differ, fails with the shortest history that shows it. */
final class Report {
    private static final int PLAYS_MAX = 300;

    private Report() {}

    /** Fails with the report of a difference. */
    static void assertAlike(Duel duel, History history) {
        difference(duel, history).ifPresent(text -> {
            throw new AssertionError(text);
        });
    }

    static Optional<String> difference(Duel duel, History history) {
        return duel.play(history).map(found -> describe(duel, history, found));
    }

    private static String describe(Duel duel, History history, Mismatch found) {
        String signature = found.signature();
        History upTo = history.with(history.steps()
                .subList(0, Math.min(found.step() + 1, history.steps().size())));
        Reducer reducer = new Reducer(
                fewer -> duel.play(fewer)
                        .map(Mismatch::signature)
                        .filter(signature::equals)
                        .isPresent(),
                PLAYS_MAX);
        History shortest = reducer.reduce(upTo);
        String again = duel.play(shortest).map(Mismatch::toString).orElse("not seen again");
        return "seed " + history.seed() + ", " + found + "\n  shortest history ("
                + shortest.steps().size() + " steps, number> is the connection):\n" + shortest + "\n  there, " + again;
    }
}
