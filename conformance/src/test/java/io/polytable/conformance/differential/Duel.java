package io.polytable.conformance.differential;

import io.polytable.conformance.history.History;
import io.polytable.conformance.history.HistoryWriter;
import io.polytable.conformance.history.Step;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.resp.Answer;
import io.polytable.conformance.resp.RespConnection;
import io.polytable.conformance.resp.RespText;
import java.util.List;
import java.util.Optional;

/** Runs histories on two servers, each time from an empty key space, and finds the first difference. */
final class Duel {
    private final RespServer reference;
    private final RespServer subject;
    private final Dialect dialect;

    Duel(RespServer reference, RespServer subject, Dialect dialect) {
        this.reference = reference;
        this.subject = subject;
        this.dialect = dialect;
    }

    Optional<Mismatch> play(History history) {
        empty(reference);
        empty(subject);
        try (Speaker theirs = new Speaker(reference, HistoryWriter.CONNECTIONS);
                Speaker ours = new Speaker(subject, HistoryWriter.CONNECTIONS)) {
            Round round = new Round(theirs, ours);
            for (int i = 0; i < history.steps().size(); i++) {
                Optional<Mismatch> found = round.play(i, history.steps().get(i));
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return new KeySpaces(reference, subject, dialect)
                .compare(history.steps().size());
    }

    private static void empty(RespServer server) {
        try (RespConnection connection = server.connect()) {
            connection.call("FLUSHALL");
        }
    }

    /** One run: the two connections and the comparison of each step. */
    private final class Round {
        private final Speaker theirs;
        private final Speaker ours;

        Round(Speaker theirs, Speaker ours) {
            this.theirs = theirs;
            this.ours = ours;
        }

        Optional<Mismatch> play(int number, Step step) {
            if (step instanceof Step.Call call) {
                return pipeline(number, step, List.of(call.words()));
            }
            if (step instanceof Step.Pipeline pipeline) {
                return pipeline(number, step, pipeline.commands());
            }
            if (step instanceof Step.Walk walk) {
                return walk(number, walk);
            }
            if (step instanceof Step.Census census) {
                return walk(number, Iteration.ofDatabase(census.connection())).or(() -> count(number, census));
            }
            Step.Vanish vanish = (Step.Vanish) step;
            Optional<Mismatch> found = pipeline(number, step, List.of(vanish.words()));
            Vanishing.await(theirs, vanish);
            Vanishing.await(ours, vanish);
            return found;
        }

        private Optional<Mismatch> walk(int number, Step.Walk walk) {
            Iteration one = Iteration.of(theirs, walk);
            Iteration other = Iteration.of(ours, walk);
            boolean isOrdered =
                    !one.order().equals(other.order()) && PackedOrder.applies(theirs, walk.connection(), walk.words());
            return one.isLike(other) && !isOrdered ? Optional.empty() : mismatch(number, walk, one, other);
        }

        private Optional<Mismatch> count(int number, Step.Census census) {
            String one = Counting.complaint(theirs, census.connection());
            String other = Counting.complaint(ours, census.connection());
            return one.isEmpty() && other.isEmpty() ? Optional.empty() : mismatch(number, census, one, other);
        }

        private Optional<Mismatch> pipeline(int number, Step step, List<List<String>> commands) {
            List<Answer> expected = dialect.expected(theirs, step.connection(), commands);
            List<Answer> given = ours.pipeline(step.connection(), commands);
            // What a key was at a command within a pipeline cannot be asked later.
            boolean isAlone = commands.size() == 1;
            for (int i = 0; i < commands.size(); i++) {
                Optional<Mismatch> found =
                        compare(number, step.connection(), isAlone, commands.get(i), expected.get(i), given.get(i));
                if (found.isPresent()) {
                    return found;
                }
            }
            return Optional.empty();
        }

        private Optional<Mismatch> compare(
                int number, int connection, boolean isAlone, List<String> words, Answer one, Answer other) {
            Likeness likeness = Likeness.of(words);
            boolean same = dialect.verdict(words, one, other).orElseGet(() -> likeness.same(words, one, other));
            if (!same
                    || (isAlone
                            && !one.bytes().equals(other.bytes())
                            && PackedOrder.applies(theirs, connection, words))) {
                return mismatch(number, new Step.Call(connection, words), one, other);
            }
            if (likeness != Likeness.CHANCE) {
                return Optional.empty();
            }
            return ChanceCheck.complaint(theirs, connection, words, one)
                    .or(() -> ChanceCheck.complaint(ours, connection, words, other))
                    .map(wrong -> new Mismatch(number, RespText.of(words) + ": " + wrong, one + "", other + ""));
        }
    }

    private static Optional<Mismatch> mismatch(int number, Step step, Object one, Object other) {
        return Optional.of(new Mismatch(number, step.toString(), one.toString(), other.toString()));
    }
}
