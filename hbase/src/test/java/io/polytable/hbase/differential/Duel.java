package io.polytable.hbase.differential;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Table;

/** Plays histories to both sides and compares what they answer, step by step. */
final class Duel {
    private static final int REDUCTIONS_MAX = 60;

    /** Of all tests that share a node: what one leaves there must not be another's. */
    private static final AtomicInteger PLAYINGS = new AtomicInteger();

    private final Side theirs;
    private final Side ours;

    Duel(Side theirs, Side ours) {
        this.theirs = theirs;
        this.ours = ours;
    }

    /** Where two answers differ. */
    private record Difference(int step, String text, String theirs, String ours) {
        String shown() {
            return "%n%s%n  HBase: %s%n  ours:  %s%n".formatted(text, theirs, ours);
        }
    }

    void play(History history) throws IOException, InterruptedException {
        Optional<Difference> first = difference(history);
        if (first.isPresent()) {
            // At once: to find the few steps that show it takes a while.
            System.err.printf(
                    "seed %d differs: %s%n", history.seed(), first.get().shown());
            throw new AssertionError(report(history, first.get()));
        }
    }

    private Optional<Difference> difference(History history) throws IOException, InterruptedException {
        String run = Long.toString(Schema.START_MILLIS, Character.MAX_RADIX);
        Rows rows = new Rows("h%s-%06d.".formatted(run, PLAYINGS.incrementAndGet()));
        try (Table their = theirs.table(history.schema().table());
                Table our = ours.table(history.schema().table())) {
            boolean compacted = false;
            for (int i = 0; i < history.steps().size(); i++) {
                Step<?> step = history.steps().get(i);
                if (step == Step.COMPACTION) {
                    compacted = true;
                    theirs.compact(history.schema().table());
                    ours.compact(history.schema().table());
                }
                String expected = step.on(their, rows);
                String answered = step.on(our, rows);
                boolean fewerMarkers = compacted && history.schema().keepsDeleted();
                boolean alike = Outcome.areAlike(expected, answered)
                        || (fewerMarkers && step.isRaw(rows) && areAlikeButMarkers(step, expected, answered));
                if (!alike) {
                    return Optional.of(new Difference(i, step.text(rows), expected, answered));
                }
            }
        }
        return Optional.empty();
    }

    /** Raw reads of a part may count markers, and so show other cells where there are fewer. */
    private static boolean areAlikeButMarkers(Step<?> step, String expected, String answered) {
        return !step.isWhole() || Outcome.withoutMarkers(expected).equals(Outcome.withoutMarkers(answered));
    }

    private String report(History history, Difference first) throws IOException, InterruptedException {
        List<Step<?>> steps = new ArrayList<>(history.steps().subList(0, first.step() + 1));
        Difference shown = first;
        int tries = 0;
        for (int size = Math.max(1, steps.size() / 2); size >= 1; size /= 2) {
            for (int from = 0; from + size < steps.size() && tries < REDUCTIONS_MAX; ) {
                List<Step<?>> fewer = new ArrayList<>(steps);
                fewer.subList(from, from + size).clear();
                tries++;
                Optional<Difference> still = difference(history.with(fewer));
                if (still.isPresent()) {
                    shown = still.get();
                    steps = new ArrayList<>(fewer.subList(0, shown.step() + 1));
                } else {
                    from += size;
                }
            }
        }
        StringBuilder text = new StringBuilder("seed %d on table %s; these steps show it:%n"
                .formatted(history.seed(), history.schema().name()));
        Rows rows = new Rows("row-");
        steps.forEach(step -> text.append("  ").append(step.text(rows)).append(System.lineSeparator()));
        return text.append(shown.shown()).toString();
    }
}
