package io.polytable.hbase.differential;

import java.io.IOException;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** One call of a history: what is made for the rows at hand, and how it is given to a table. */
final class Step<T> {
    /** Gives the call to a table and says what came of it. */
    @FunctionalInterface
    interface Run<T> {
        String on(Table table, T call, Rows rows) throws IOException, InterruptedException;
    }

    /** Both sides write out what they have in memory and compact all of it; {@link Duel} knows how. */
    static final Step<String> COMPACTION = new Step<>("compaction", rows -> "", (table, call, rows) -> "done");

    private final String name;
    private final Function<Rows, T> make;
    private final Run<T> run;

    Step(String name, Function<Rows, T> make, Run<T> run) {
        this.name = name;
        this.make = make;
        this.run = run;
    }

    String on(Table table, Rows rows) throws InterruptedException {
        try {
            return run.on(table, make.apply(rows), rows);
        } catch (IOException | RuntimeException failure) {
            return Outcome.of(failure);
        }
    }

    /** Whether it shows delete markers. */
    boolean isRaw(Rows rows) {
        return make.apply(rows) instanceof Scan scan && scan.isRaw();
    }

    /** Whether it shows all that is stored. */
    boolean isWhole() {
        return name.equals(Reads.RAW_SCAN);
    }

    String text(Rows rows) {
        return name + " " + CallText.of(make.apply(rows));
    }
}
