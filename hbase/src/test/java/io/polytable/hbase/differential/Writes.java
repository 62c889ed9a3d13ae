package io.polytable.hbase.differential;

import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

/** Calls that change rows. All chances are taken when a step is drawn; playing it makes the same call each time. */
final class Writes {
    /** Over at once, whatever the timestamp; and never. */
    private static final List<Long> LIVES = List.of(1L, 4_000_000_000_000L);

    private static final CompareOperator[] OPERATORS = {
        CompareOperator.LESS,
        CompareOperator.LESS_OR_EQUAL,
        CompareOperator.EQUAL,
        CompareOperator.NOT_EQUAL,
        CompareOperator.GREATER_OR_EQUAL,
        CompareOperator.GREATER
    };

    private final Dice dice;
    private final Schema schema;
    private final Filters filters;

    Writes(Dice dice, Schema schema) {
        this.dice = dice;
        this.schema = schema;
        filters = new Filters(dice, schema);
    }

    /** What a mutation does to a row that is named later. */
    private interface Change<M extends Mutation> extends Function<byte[], M> {}

    Step<?> step() {
        String row = row();
        int kind = dice.below(100);
        if (kind < 35) {
            return step("put", row, put(), (table, put, rows) -> {
                table.put(put);
                return "done";
            });
        }
        if (kind < 55) {
            return step("delete", row, delete(), (table, delete, rows) -> {
                table.delete(delete);
                return "done";
            });
        }
        if (kind < 63) {
            return step(
                    "increment", row, increment(), (table, change, rows) -> Outcome.of(table.increment(change), rows));
        }
        if (kind < 71) {
            return step("append", row, append(), (table, change, rows) -> Outcome.of(table.append(change), rows));
        }
        if (kind < 78) {
            return new Step<>("mutate row", together(row), (table, all, rows) -> {
                pause();
                return Outcome.of(table.mutateRow(all), rows);
            });
        }
        if (kind < 90) {
            return new Step<>("check and mutate", check(row), (table, check, rows) -> {
                pause();
                return Outcome.of(table.checkAndMutate(check), rows);
            });
        }
        return new Step<>("batch", batch(), Writes::runBatch);
    }

    /**
     * Cells that nobody deletes: a compaction of nothing is none, and HBase drops markers of families that keep deleted
     * cells where a family has no older cell at all.
     */
    static Step<?> survivor(Schema schema) {
        byte[] value = Bytes.toBytes("z");
        return step(
                "put",
                "z",
                row -> new Put(row)
                        .addColumn(Bytes.toBytes("a"), Bytes.toBytes("p"), schema.time(Schema.TICKS), value)
                        .addColumn(Bytes.toBytes("a"), Bytes.toBytes("old"), 1, value)
                        .addColumn(Bytes.toBytes("b"), Bytes.toBytes("old"), 1, value),
                (table, put, rows) -> {
                    table.put(put);
                    return "done";
                });
    }

    private static <M extends Mutation> Step<M> step(String name, String row, Change<M> change, Step.Run<M> run) {
        return new Step<>(name, rows -> change.apply(rows.of(row)), (table, call, rows) -> {
            pause();
            return run.on(table, call, rows);
        });
    }

    /** No two steps get the same timestamp from a server: which of them a read shows would be chance. */
    private static void pause() {
        long now = System.currentTimeMillis();
        Await.until("the clock has moved on", () -> System.currentTimeMillis() > now + 1);
    }

    private static String runBatch(Table table, List<Row> actions, Rows rows) throws InterruptedException {
        pause();
        Object[] results = new Object[actions.size()];
        try {
            table.batch(actions, results);
        } catch (IOException failed) {
            // Each result says it, too.
        }
        List<String> all = new ArrayList<>();
        for (Object result : results) {
            all.add(Outcome.of(result, rows));
        }
        return all.toString();
    }

    private String row() {
        return dice.pick(Rows.NAMES);
    }

    private byte[] family() {
        return Bytes.toBytes(dice.pick(Schema.FAMILY_NAMES));
    }

    /**
     * A family with several versions: of a column with one HBase removes what is older than the last two values of a
     * counter, unless some scanner is open, and raw scans would show that.
     */
    private byte[] countingFamily() {
        return dice.pick(schema.families().stream()
                .filter(family -> family.getMaxVersions() > 1)
                .map(ColumnFamilyDescriptor::getName)
                .toList());
    }

    private byte[] qualifier() {
        return Bytes.toBytes(dice.pick(Schema.QUALIFIERS));
    }

    private long time() {
        return schema.time(dice.between(1, Schema.TICKS));
    }

    /** Mostly numbers, of eight bytes or as text. */
    private byte[] value() {
        return switch (dice.below(10)) {
            case 0 -> new byte[0];
            case 1, 2 -> Bytes.toBytes("v" + dice.below(5));
            case 3 -> Bytes.toBytes("w");
            default -> Bytes.toBytes((long) dice.below(10));
        };
    }

    private Change<Put> put() {
        List<Function<Put, Put>> parts = new ArrayList<>();
        int cells = dice.between(1, 4);
        // What expires gets its timestamp from us: of the present one it depends on the clock whether it is over.
        boolean expires = dice.percent(10);
        long life = dice.pick(LIVES);
        for (int i = 0; i < cells; i++) {
            byte[] family = family();
            byte[] qualifier = qualifier();
            byte[] value = value();
            if (!expires && dice.percent(8)) {
                parts.add(put -> put.addColumn(family, qualifier, value));
            } else {
                // Of two puts of one place HBase keeps both, and shows the first one again when the second has expired.
                long time = expires ? time() + 1 + LIVES.indexOf(life) : time();
                parts.add(put -> put.addColumn(family, qualifier, time, value));
            }
        }
        if (expires) {
            parts.add(put -> put.setTTL(life));
        }
        return row -> applied(new Put(row), parts);
    }

    private static <M> M applied(M mutation, List<Function<M, M>> parts) {
        M all = mutation;
        for (Function<M, M> part : parts) {
            all = part.apply(all);
        }
        return all;
    }

    private Change<Delete> delete() {
        if (dice.percent(8)) {
            long time = time();
            return dice.percent(70) ? row -> new Delete(row, time) : Delete::new;
        }
        List<Function<Delete, Delete>> parts = new ArrayList<>();
        int markers = dice.between(1, 2);
        for (int i = 0; i < markers; i++) {
            parts.add(marker());
        }
        return row -> applied(new Delete(row), parts);
    }

    private Function<Delete, Delete> marker() {
        byte[] family = family();
        byte[] qualifier = qualifier();
        long time = time();
        return switch (dice.below(10)) {
            case 0, 1, 2 -> delete -> delete.addColumn(family, qualifier, time);
            case 3, 4 -> delete -> delete.addColumn(family, qualifier);
            case 5, 6 -> delete -> delete.addColumns(family, qualifier, time);
            case 7 -> delete -> delete.addFamily(family, time);
            case 8 -> delete -> delete.addFamilyVersion(family, time);
            default -> delete -> delete.addColumns(family, qualifier);
        };
    }

    private Change<Increment> increment() {
        byte[] family = countingFamily();
        byte[] qualifier = qualifier();
        long amount = dice.between(-3, 5);
        boolean timed = dice.percent(20);
        long time = time();
        boolean silent = dice.percent(10);
        boolean second = dice.percent(20);
        byte[] other = qualifier();
        return row -> {
            Increment increment = new Increment(row);
            if (timed) {
                increment.setTimestamp(time);
            }
            increment.addColumn(family, qualifier, amount);
            if (second && !Bytes.equals(qualifier, other)) {
                increment.addColumn(family, other, 1);
            }
            return increment.setReturnResults(!silent);
        };
    }

    private Change<Append> append() {
        byte[] family = countingFamily();
        byte[] qualifier = qualifier();
        byte[] suffix = value();
        boolean silent = dice.percent(10);
        boolean ranged = dice.percent(10);
        long from = time();
        return row -> {
            Append append = new Append(row).addColumn(family, qualifier, suffix);
            if (ranged) {
                append.setTimeRange(from, Long.MAX_VALUE);
            }
            return append.setReturnResults(!silent);
        };
    }

    private Change<? extends Mutation> any() {
        return switch (dice.below(10)) {
            case 0, 1, 2, 3 -> put();
            case 4, 5, 6 -> delete();
            case 7, 8 -> increment();
            default -> append();
        };
    }

    private Function<Rows, RowMutations> together(String row) {
        List<Change<? extends Mutation>> changes = new ArrayList<>();
        int count = dice.between(1, 4);
        for (int i = 0; i < count; i++) {
            changes.add(any());
        }
        return rows -> {
            try {
                RowMutations all = new RowMutations(rows.of(row));
                for (Change<? extends Mutation> change : changes) {
                    all.add(change.apply(rows.of(row)));
                }
                return all;
            } catch (IOException impossible) {
                throw new IllegalStateException(impossible);
            }
        };
    }

    private Function<Rows, CheckAndMutate> check(String row) {
        Function<Rows, CheckAndMutate.Builder> condition = condition(row);
        return switch (dice.below(5)) {
            case 0, 1 -> {
                Change<Put> put = put();
                yield rows -> condition.apply(rows).build(put.apply(rows.of(row)));
            }
            case 2 -> {
                Change<Delete> delete = delete();
                yield rows -> condition.apply(rows).build(delete.apply(rows.of(row)));
            }
            case 3 -> {
                Change<Increment> increment = increment();
                yield rows -> condition.apply(rows).build(increment.apply(rows.of(row)));
            }
            default -> {
                Function<Rows, RowMutations> all = together(row);
                yield rows -> condition.apply(rows).build(withoutChance(all.apply(rows)));
            }
        };
    }

    /**
     * Under a check HBase takes the present time twice: for puts when it has checked, for increments and appends when it
     * computes them. Whether both are one version of a column is then chance, so such puts are left out.
     */
    private static RowMutations withoutChance(RowMutations all) {
        List<Cell> computed = new ArrayList<>();
        for (Mutation mutation : all.getMutations()) {
            if (mutation instanceof Increment || mutation instanceof Append) {
                mutation.getFamilyCellMap().values().forEach(computed::addAll);
            }
        }
        List<Mutation> kept = new ArrayList<>(all.getMutations());
        kept.removeIf(mutation -> mutation instanceof Put && computed.stream().anyMatch(cell -> isNow(mutation, cell)));
        try {
            return RowMutations.of(kept);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Whether it writes the cell's column at the present time. */
    private static boolean isNow(Mutation mutation, Cell cell) {
        return mutation.has(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), HConstants.LATEST_TIMESTAMP);
    }

    private Function<Rows, CheckAndMutate.Builder> condition(String row) {
        byte[] family = family();
        byte[] qualifier = qualifier();
        byte[] value = value();
        CompareOperator operator = dice.pick(OPERATORS);
        Function<Rows, Filter> filter = filters.single();
        int kind = dice.below(10);
        boolean ranged = dice.percent(15);
        long from = time();
        return rows -> {
            CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(rows.of(row));
            if (ranged) {
                builder.timeRange(TimeRange.from(from));
            }
            return switch (kind) {
                case 0, 1 -> builder.ifNotExists(family, qualifier);
                case 2, 3, 4 -> builder.ifEquals(family, qualifier, value);
                case 5, 6, 7 -> builder.ifMatches(family, qualifier, operator, value);
                default -> builder.ifMatches(filter.apply(rows));
            };
        };
    }

    private Function<Rows, List<Row>> batch() {
        List<Function<Rows, ? extends Row>> actions = new ArrayList<>();
        // Each on a row of its own: HBase does not say in which order it does the actions of a batch.
        List<String> names = dice.shuffled(Rows.NAMES);
        int count = dice.between(2, names.size());
        for (int i = 0; i < count; i++) {
            actions.add(action(names.get(i)));
        }
        return rows -> {
            List<Row> all = new ArrayList<>();
            actions.forEach(action -> all.add(action.apply(rows)));
            return all;
        };
    }

    private Function<Rows, ? extends Row> action(String row) {
        int kind = dice.below(10);
        if (kind < 2) {
            return rows -> new Get(rows.of(row));
        }
        if (kind < 3) {
            return together(row);
        }
        if (kind < 4) {
            return check(row);
        }
        Change<? extends Mutation> change = any();
        return rows -> change.apply(rows.of(row));
    }
}
