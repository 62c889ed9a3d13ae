package io.polytable.entity.hbase;

import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.session.Futures;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.store.CellTimes;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.entity.store.ColumnQuery;
import io.polytable.entity.store.KeySplits;
import io.polytable.entity.store.Partition;
import io.polytable.entity.store.RowChange;
import io.polytable.entity.store.RowCursor;
import io.polytable.entity.store.RowQuery;
import io.polytable.entity.store.ScanQuery;
import io.polytable.entity.store.StoredCell;
import io.polytable.entity.store.StoredRow;
import io.polytable.entity.store.StoredTable;
import io.polytable.entity.store.ValueMode;
import io.polytable.entity.store.WriteAnswer;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;

/** An entity table as an HBase table. */
final class HBaseTable implements StoredTable {
    /** HBase hides a put that has the same millisecond as a delete before it. */
    private static final Executor AFTER_DELETE = CompletableFuture.delayedExecutor(2, TimeUnit.MILLISECONDS);

    private final HBaseCluster cluster;
    private final TableName name;
    private final TableLayout layout;
    private final AsyncTable<ScanResultConsumer> table;

    HBaseTable(HBaseCluster cluster, TableName name, TableLayout layout) {
        this.cluster = cluster;
        this.name = name;
        this.layout = layout;
        table = cluster.table(name);
    }

    /** Completes a delete once the server's clock has advanced, so that the next put has a later timestamp. */
    static <T> CompletableFuture<T> settled(CompletableFuture<T> delete) {
        return delete.thenApplyAsync(done -> done, AFTER_DELETE);
    }

    @Override
    public CompletableFuture<StoredRow> get(Bytes rowKey, RowQuery query) {
        return getAll(List.of(rowKey), query).thenApply(rows -> rows.get(0));
    }

    @Override
    public CompletableFuture<List<StoredRow>> getAll(List<Bytes> rowKeys, RowQuery query) {
        return Futures.guarded(() -> {
            List<RowReads> reads = RowReads.of(query);
            List<Get> gets = new ArrayList<>();
            for (Bytes rowKey : rowKeys) {
                reads.forEach(read -> read.get(rowKey).ifPresent(gets::add));
            }
            if (gets.isEmpty()) {
                return CompletableFuture.completedFuture(answers(rowKeys, query, reads, List.of()));
            }
            CompletableFuture<List<Result>> results =
                    gets.size() == 1 ? table.get(gets.get(0)).thenApply(List::of) : table.getAll(gets);
            return Failures.translated(results).thenApply(found -> answers(rowKeys, query, reads, found));
        });
    }

    private static List<StoredRow> answers(
            List<Bytes> rowKeys, RowQuery query, List<RowReads> reads, List<Result> results) {
        List<StoredRow> rows = new ArrayList<>(rowKeys.size());
        int next = 0;
        for (Bytes rowKey : rowKeys) {
            List<StoredCell> cells = new ArrayList<>();
            for (RowReads read : reads) {
                if (read.get(rowKey).isPresent()) {
                    cells.addAll(read.cells(results.get(next++)));
                }
            }
            rows.add(new StoredRow(rowKey, limited(query, cells)));
        }
        return rows;
    }

    /** A page that was read in two parts is cut once more. */
    private static List<StoredCell> limited(RowQuery query, List<StoredCell> cells) {
        boolean isPage = query.columns().size() == 1
                && cells.size() > query.columns().get(0).limit();
        return isPage ? cells.subList(0, query.columns().get(0).limit()) : cells;
    }

    @Override
    public RowCursor scan(ScanQuery query) {
        return new HBaseCursor(table, query);
    }

    @Override
    public CompletableFuture<WriteAnswer> write(RowChange change) {
        return Futures.guarded(() -> plan(change).thenCompose(plan -> {
            if (change.check().isPresent()) {
                return check(plan, change.check().get());
            }
            if (plan.mutations().isEmpty()) {
                return CompletableFuture.completedFuture(WriteAnswer.APPLIED);
            }
            CompletableFuture<Result> made = mutate(plan);
            CompletableFuture<Result> told =
                    plan.hasCounters() ? Failures.translatedOnce(made) : Failures.translated(made);
            return (plan.hasDeletes() ? settled(told) : told)
                    .thenApply(result -> new WriteAnswer(true, plan.counters(result)));
        }));
    }

    /** The mutations of a change. If a family shares its group, a delete of it first reads its columns. */
    private CompletableFuture<RowMutationPlan> plan(RowChange change) {
        CompletableFuture<RowMutationPlan> plan =
                CompletableFuture.completedFuture(new RowMutationPlan(change.rowKey()));
        for (CellEdit edit : change.edits()) {
            if (edit instanceof CellEdit.DeleteFamily family && isShared(family.groupId())) {
                plan = plan.thenCombine(columns(change.rowKey(), family), (made, columns) -> {
                    columns.forEach(column -> made.add(new CellEdit.DeleteColumn(
                            new ColumnPlace(family.groupId(), family.familyId(), column), family.upTo())));
                    return made;
                });
            } else {
                plan = plan.thenApply(made -> {
                    made.add(edit);
                    return made;
                });
            }
        }
        return plan;
    }

    private boolean isShared(String groupId) {
        return layout.groups().stream()
                .filter(group -> group.id().equals(groupId))
                .map(LocalityGroup::families)
                .anyMatch(families -> families.size() > 1);
    }

    private CompletableFuture<List<String>> columns(Bytes rowKey, CellEdit.DeleteFamily family) {
        CellTimes times = family.upTo() == CellEdit.NOW ? CellTimes.ALL : new CellTimes(0, family.upTo() + 1);
        ColumnQuery all = new ColumnQuery(
                family.groupId(),
                family.familyId(),
                Optional.empty(),
                times,
                1,
                Optional.empty(),
                ValueMode.NONE,
                ColumnQuery.NO_LIMIT,
                Optional.empty());
        return get(rowKey, new RowQuery(List.of(all)))
                .thenApply(row -> row.cells().stream()
                        .map(StoredCell::qualifier)
                        .distinct()
                        .toList());
    }

    private CompletableFuture<Result> mutate(RowMutationPlan plan) {
        if (plan.mutations().size() > 1) {
            return table.mutateRow(together(plan));
        }
        Mutation only = plan.mutations().get(0);
        if (only instanceof Increment increment) {
            return table.increment(increment);
        }
        CompletableFuture<Void> done = only instanceof Put put ? table.put(put) : table.delete((Delete) only);
        return done.thenApply(nothing -> Result.EMPTY_RESULT);
    }

    private static RowMutations together(RowMutationPlan plan) {
        try {
            return new RowMutations(plan.row()).add(plan.mutations());
        } catch (IOException e) {
            throw new IllegalStateException("All mutations are of one row", e);
        }
    }

    private CompletableFuture<WriteAnswer> check(RowMutationPlan plan, RowChange.Check check) {
        byte[] family = Names.family(check.place().groupId());
        byte[] qualifier = RowMutationPlan.qualifier(check.place());
        CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(plan.row());
        builder = check.expected().isPresent()
                ? builder.ifEquals(family, qualifier, check.expected().get().toByteArray())
                : builder.ifNotExists(family, qualifier);
        if (plan.mutations().isEmpty()) {
            return compare(plan, check);
        }
        return Failures.translatedOnce(table.checkAndMutate(builder.build(together(plan))))
                .thenCompose(result -> plan.hasDeletes()
                        ? settled(CompletableFuture.completedFuture(result))
                        : CompletableFuture.completedFuture(result))
                .thenApply(result -> result.isSuccess()
                        ? new WriteAnswer(true, plan.counters(result.getResult()))
                        : WriteAnswer.NOT_APPLIED);
    }

    /** A check without edits is a read. */
    private CompletableFuture<WriteAnswer> compare(RowMutationPlan plan, RowChange.Check check) {
        ColumnPlace place = check.place();
        ColumnQuery newest = new ColumnQuery(
                place.groupId(),
                place.familyId(),
                Optional.of(new java.util.TreeSet<>(List.of(place.qualifier()))),
                CellTimes.ALL,
                1,
                Optional.empty(),
                ValueMode.FULL,
                ColumnQuery.NO_LIMIT,
                Optional.empty());
        return get(Bytes.of(plan.row()), new RowQuery(List.of(newest))).thenApply(row -> {
            Optional<Bytes> found = row.cells().stream().findFirst().map(StoredCell::value);
            return found.equals(check.expected()) ? WriteAnswer.APPLIED : WriteAnswer.NOT_APPLIED;
        });
    }

    @Override
    public CompletableFuture<Void> writeAll(List<RowChange> changes) {
        return Futures.guarded(() -> {
            Map<Bytes, List<RowChange>> byRow = new LinkedHashMap<>();
            changes.forEach(change -> byRow.computeIfAbsent(change.rowKey(), key -> new ArrayList<>())
                    .add(change));
            List<Put> puts = new ArrayList<>();
            List<CompletableFuture<?>> all = new ArrayList<>();
            for (List<RowChange> ofRow : byRow.values()) {
                if (!plainPuts(ofRow, puts)) {
                    all.add(inOrder(ofRow));
                }
            }
            if (!puts.isEmpty()) {
                all.add(Failures.translated(table.putAll(puts)));
            }
            return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
        });
    }

    /** Adds the row's changes to a batch, if they are a single put. */
    private static boolean plainPuts(List<RowChange> ofRow, List<Put> puts) {
        RowChange only = ofRow.get(0);
        if (ofRow.size() > 1 || !only.edits().stream().allMatch(CellEdit.Put.class::isInstance)) {
            return false;
        }
        RowMutationPlan plan = new RowMutationPlan(only.rowKey());
        only.edits().forEach(plan::add);
        if (plan.mutations().size() != 1) {
            return false;
        }
        puts.add((Put) plan.mutations().get(0));
        return true;
    }

    private CompletableFuture<WriteAnswer> inOrder(List<RowChange> ofRow) {
        CompletableFuture<WriteAnswer> last = CompletableFuture.completedFuture(WriteAnswer.APPLIED);
        for (RowChange change : ofRow) {
            last = last.thenCompose(done -> write(change));
        }
        return last;
    }

    /** Regions if there are several, otherwise equal parts between the first and the last key. */
    @Override
    public List<Partition> partitions(int wanted) {
        KeySplits.check(wanted);
        List<Bytes> starts = cluster
                .await(cluster.connection().getRegionLocator(name).getAllRegionLocations())
                .stream()
                .map(location -> Bytes.of(location.getRegion().getStartKey()))
                .distinct()
                .filter(start -> !start.isEmpty())
                .sorted()
                .toList();
        if (starts.isEmpty()) {
            return KeySplits.between(end(false), end(true), wanted);
        }
        List<Bytes> splits = new ArrayList<>();
        int regions = starts.size() + 1;
        for (int i = 1; i < Math.min(wanted, regions); i++) {
            splits.add(starts.get((int) ((long) i * regions / Math.min(wanted, regions)) - 1));
        }
        return KeySplits.at(splits);
    }

    private Optional<Bytes> end(boolean reversed) {
        var scan = new org.apache.hadoop.hbase.client.Scan()
                .setReversed(reversed)
                .setLimit(1)
                .setFilter(new FirstKeyOnlyFilter());
        return cluster.await(table.scanAll(scan)).stream().findFirst().map(result -> Bytes.of(result.getRow()));
    }

    @Override
    public void flush() {
        cluster.define(cluster.admin().flush(name));
    }
}
