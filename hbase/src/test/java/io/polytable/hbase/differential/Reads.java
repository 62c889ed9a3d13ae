package io.polytable.hbase.differential;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;

/** Gets and scans with everything that they can ask for. */
final class Reads {
    static final String RAW_SCAN = "raw scan";

    private static final int FILTER_PERCENT = 50;

    private final Dice dice;
    private final Schema schema;
    private final Filters filters;

    Reads(Dice dice, Schema schema) {
        this.dice = dice;
        this.schema = schema;
        filters = new Filters(dice, schema);
    }

    Step<?> step() {
        if (dice.percent(30)) {
            return new Step<>("get", get(), (table, get, rows) -> Outcome.of(table.get(get), rows));
        }
        if (dice.percent(10)) {
            return new Step<>("exists", get(), (table, get, rows) -> String.valueOf(table.exists(get)));
        }
        return new Step<>("scan", scan(), Reads::scanned);
    }

    /** All that can be read, and all that is stored. */
    static List<Step<?>> everything() {
        return List.of(
                new Step<>("scan", rows -> all(rows).readAllVersions(), Reads::scanned),
                new Step<>(
                        "scan",
                        rows -> all(rows)
                                .readAllVersions()
                                .setReversed(true)
                                .withStartRow(rows.end())
                                .withStopRow(rows.first(), true),
                        Reads::scanned),
                new Step<>(RAW_SCAN, rows -> all(rows).readAllVersions().setRaw(true), Reads::scanned));
    }

    private static Scan all(Rows rows) {
        return new Scan().withStartRow(rows.first()).withStopRow(rows.end());
    }

    static String scanned(Table table, Scan scan, Rows rows) throws IOException {
        List<String> all = new ArrayList<>();
        try (ResultScanner scanner = table.getScanner(scan)) {
            for (Result result : scanner) {
                all.add(Outcome.of(result, rows));
            }
        }
        return String.join("\n    ", all);
    }

    private byte[] family() {
        return Bytes.toBytes(dice.pick(Schema.FAMILY_NAMES));
    }

    private byte[] qualifier() {
        return Bytes.toBytes(dice.pick(Schema.QUALIFIERS));
    }

    private long[] times() {
        int one = dice.between(1, Schema.TICKS);
        int other = dice.between(1, Schema.TICKS);
        return new long[] {schema.time(Math.min(one, other)), schema.time(Math.max(one, other)) + 1};
    }

    private Function<Rows, Get> get() {
        String row = dice.pick(Rows.NAMES);
        List<Consumer<Get>> parts = new ArrayList<>();
        for (int columns = dice.below(4); columns > 0; columns--) {
            byte[] family = family();
            byte[] qualifier = qualifier();
            parts.add(dice.percent(60) ? get -> get.addColumn(family, qualifier) : get -> get.addFamily(family));
        }
        if (dice.percent(50)) {
            int versions = dice.between(1, 5);
            parts.add(get -> unchecked(() -> get.readVersions(versions)));
        }
        if (dice.percent(25)) {
            long[] times = times();
            parts.add(get -> unchecked(() -> get.setTimeRange(times[0], times[1])));
        }
        if (dice.percent(10)) {
            long[] times = times();
            byte[] family = family();
            parts.add(get -> get.setColumnFamilyTimeRange(family, times[0], times[1]));
        }
        if (dice.percent(15)) {
            int limit = dice.between(0, 4);
            int offset = dice.below(3);
            parts.add(get -> get.setMaxResultsPerColumnFamily(limit).setRowOffsetPerColumnFamily(offset));
        }
        Function<Rows, Filter> filter = dice.percent(FILTER_PERCENT) ? filters.any() : null;
        return rows -> {
            Get get = new Get(rows.of(row));
            // On demand HBase does not find rows of which a filter inside of another needs no family.
            get.setLoadColumnFamiliesOnDemand(false);
            parts.forEach(part -> part.accept(get));
            if (filter != null) {
                get.setFilter(filter.apply(rows));
            }
            return get;
        };
    }

    private Function<Rows, Scan> scan() {
        boolean reversed = dice.percent(35);
        Function<Rows, Scan> range = range(reversed);
        List<Consumer<Scan>> parts = new ArrayList<>();
        boolean raw = dice.percent(7);
        parts.add(scan -> scan.setRaw(raw));
        if (!raw || dice.percent(5)) {
            for (int columns = dice.below(4); columns > 0; columns--) {
                byte[] family = family();
                byte[] qualifier = qualifier();
                parts.add(
                        dice.percent(60) ? scan -> scan.addColumn(family, qualifier) : scan -> scan.addFamily(family));
            }
        }
        drawVersionsAndTimes(parts);
        drawLimits(parts);
        Function<Rows, Filter> filter = dice.percent(FILTER_PERCENT) ? filters.any(reversed) : null;
        int batch = dice.percent(25) ? dice.between(1, 4) : 0;
        return rows -> {
            Scan scan = range.apply(rows);
            parts.forEach(part -> part.accept(scan));
            if (filter != null) {
                scan.setFilter(filter.apply(rows));
            }
            return batch > 0 ? withoutChance(scan.setBatch(batch)) : scan;
        };
    }

    /**
     * HBase's client counts a row twice whose last batch is not full, and looks at the count after each call. How many rows of
     * a limit it shows so depends on where the results are cut into calls by their size; in HBase that is the size of Java's
     * objects, which are others for cells in memory than for those of a file.
     */
    private static Scan withoutChance(Scan scan) {
        return scan.getLimit() > 0 ? scan.setMaxResultSize(-1) : scan;
    }

    private void drawVersionsAndTimes(List<Consumer<Scan>> parts) {
        if (dice.percent(60)) {
            int versions = dice.between(1, 5);
            parts.add(scan -> scan.readVersions(versions));
        }
        if (dice.percent(20)) {
            long[] times = times();
            parts.add(scan -> unchecked(() -> scan.setTimeRange(times[0], times[1])));
        }
        if (dice.percent(10)) {
            long[] times = times();
            byte[] family = family();
            parts.add(scan -> scan.setColumnFamilyTimeRange(family, times[0], times[1]));
        }
    }

    private void drawLimits(List<Consumer<Scan>> parts) {
        if (dice.percent(15)) {
            int limit = dice.between(0, 4);
            int offset = dice.below(3);
            parts.add(scan -> {
                scan.setMaxResultsPerColumnFamily(limit);
                scan.setRowOffsetPerColumnFamily(offset);
            });
        }
        if (dice.percent(20)) {
            int limit = dice.between(1, 4);
            parts.add(scan -> scan.setLimit(limit));
        }
        if (dice.percent(30)) {
            int caching = dice.between(1, 3);
            parts.add(scan -> scan.setCaching(caching));
        }
        if (dice.percent(20)) {
            int bytes = dice.between(1, 300);
            parts.add(scan -> scan.setMaxResultSize(bytes));
        }
        parts.add(scan -> scan.setLoadColumnFamiliesOnDemand(false));
        if (dice.percent(20)) {
            Scan.ReadType type = dice.pick(Scan.ReadType.values());
            parts.add(scan -> scan.setReadType(type));
        }
    }

    private Function<Rows, Scan> range(boolean reversed) {
        String one = dice.percent(50) ? "" : dice.pick(Rows.NAMES);
        String other = dice.percent(50) ? "~" : dice.pick(Rows.NAMES);
        boolean swapped = one.compareTo(other) > 0;
        String low = swapped ? other : one;
        String high = swapped ? one : other;
        boolean withStart = dice.percent(70);
        boolean withStop = dice.percent(30);
        return rows -> new Scan()
                .setReversed(reversed)
                .withStartRow(rows.of(reversed ? high : low), withStart)
                .withStopRow(rows.of(reversed ? low : high), withStop);
    }

    /** What the client refuses only when its numbers make no sense, which ours do. */
    private interface Setting {
        void set() throws IOException;
    }

    private static void unchecked(Setting setting) {
        try {
            setting.set();
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
