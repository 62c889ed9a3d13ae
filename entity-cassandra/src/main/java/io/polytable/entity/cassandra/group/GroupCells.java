package io.polytable.entity.cassandra.group;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.cassandra.cluster.Blobs;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.cassandra.cluster.Failures;
import io.polytable.entity.cassandra.cluster.Levels;
import io.polytable.entity.cassandra.cluster.WriteClock;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.CellTimes;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.entity.store.ColumnQuery;
import io.polytable.entity.store.StoredCell;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/** Reads the cells of one locality group. */
public final class GroupCells {
    private final Cluster cluster;
    private final LocalityGroup group;
    private final String keyspace;
    private final GroupShape shape;
    private final ReadStatements reads;
    private final Optional<WriteStatements> writes;
    private final Optional<NativeCounters> counters;
    private final Optional<TimeIndex> byTime;
    private final Optional<ColumnIndex> byColumn;
    private final ConsistencyLevel consistency;
    private final BooleanSupplier isCurrent;

    /**
     * The cells of a table.
     *
     * @param isCurrent whether this process still uses the layout of the group
     */
    public GroupCells(Cluster cluster, LocalityGroup group, GroupTable table, BooleanSupplier isCurrent) {
        this.cluster = cluster;
        this.group = group;
        this.isCurrent = isCurrent;
        keyspace = table.keyspace();
        shape = table.shape();
        reads = new ReadStatements(cluster, table);
        writes = shape.hasCounters() ? Optional.empty() : Optional.of(new WriteStatements(cluster, table));
        counters = shape.hasCounters() ? Optional.of(new NativeCounters(cluster, this, table)) : Optional.empty();
        byTime = shape.byTime() ? Optional.of(new TimeIndex(cluster, table)) : Optional.empty();
        byColumn = shape.byColumn() ? Optional.of(new ColumnIndex(cluster, table)) : Optional.empty();
        String wanted = group.options().get(GroupOptions.CONSISTENCY);
        consistency = wanted == null ? cluster.consistency() : Levels.parse(wanted);
    }

    public LocalityGroup group() {
        return group;
    }

    public ReadStatements reads() {
        return reads;
    }

    /** The statements that write cells; a group of native counters has none. */
    public WriteStatements writes() {
        return writes.orElseThrow(() -> new EntityException(
                EntityError.NOT_CAPABLE,
                "Native counters are incremented and deleted whole, nothing else",
                Map.of("group", group.name())));
    }

    public Optional<NativeCounters> counters() {
        return counters;
    }

    public Optional<TimeIndex> byTime() {
        return byTime;
    }

    public Optional<ColumnIndex> byColumn() {
        return byColumn;
    }

    public boolean isSingle() {
        return shape.isSingle();
    }

    public WriteClock clock() {
        return cluster.clock();
    }

    public ConsistencyLevel consistency() {
        return consistency;
    }

    /** The consistency level of a call, which may have one of its own; a level that can never be met is refused. */
    public ConsistencyLevel level(Optional<String> wanted) {
        ConsistencyLevel level = wanted.map(Levels::parse).orElse(consistency);
        cluster.checkLevel(keyspace, level);
        return level;
    }

    /** A cell's time, of what is read for it. */
    long time(long read) {
        return shape.hasCounters() ? WriteClock.toMillis(read) : read;
    }

    /** Time, value and write time of the newest version of a column. */
    public BoundStatement newest(Bytes rowKey, ColumnPlace place) {
        return reads.newest
                .bind(Blobs.of(rowKey), place.familyId(), place.qualifier())
                .setConsistencyLevel(consistency)
                .setIdempotent(true);
    }

    public CompletableFuture<List<StoredCell>> read(Bytes rowKey, ColumnQuery query, Optional<String> wanted) {
        ConsistencyLevel level = level(wanted);
        if (query.qualifiers().isPresent() && query.qualifiers().get().isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        boolean isOfTimes = byTime.isPresent()
                && query.qualifiers().isEmpty()
                && !query.times().equals(CellTimes.ALL)
                && query.after().isEmpty();
        return isOfTimes
                ? byTime.get()
                        .columns(rowKey, query, level)
                        .thenCompose(found ->
                                readColumns(rowKey, found.map(query::of).orElse(query), level))
                : readColumns(rowKey, query, level);
    }

    private CompletableFuture<List<StoredCell>> readColumns(Bytes rowKey, ColumnQuery query, ConsistencyLevel level) {
        if (query.qualifiers().isPresent() && query.qualifiers().get().isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        CellCollector collector = new CellCollector(this, rowKey, query);
        List<BoundStatement> selects = new CellSelects(this, rowKey, level).of(query);
        CompletableFuture<List<StoredCell>> cells = collector.from(cluster, selects.get(0));
        for (BoundStatement more : selects.subList(1, selects.size())) {
            cells = cells.thenCompose(taken ->
                    collector.isDone() ? CompletableFuture.completedFuture(taken) : collector.from(cluster, more));
        }
        return cells;
    }

    /**
     * Removes surplus versions in the background; if that fails the next read retries. Not under a replaced layout,
     * which scans and pagers may still use: the current one may keep more versions.
     */
    public void removeVersions(Bytes rowKey, String family, String qualifier, long upTo) {
        if (isCurrent.getAsBoolean()) {
            CompletableFuture<?> unused =
                    cluster.executeAsync(GroupWrites.deleteVersions(this, rowKey, family, qualifier, upTo));
        }
    }

    /** Reports each family and qualifier of a row. */
    public CompletableFuture<List<ColumnPlace>> names(Bytes rowKey) {
        List<ColumnPlace> found = new ArrayList<>();
        BoundStatement statement = reads.names.bind(Blobs.of(rowKey)).setConsistencyLevel(consistency);
        return each(statement, (family, row) -> found.add(place(family, row))).thenApply(done -> found);
    }

    private ColumnPlace place(String family, Row row) {
        return new ColumnPlace(group.id(), family, String.valueOf(row.getString(1)));
    }

    /** A column with its cell's timestamp and write time, in microseconds. */
    public record Stamp(ColumnPlace place, long time, long written) {}

    public CompletableFuture<List<Stamp>> stamps(Bytes rowKey) {
        List<Stamp> found = new ArrayList<>();
        BoundStatement statement = reads.stamps.bind(Blobs.of(rowKey)).setConsistencyLevel(consistency);
        return each(
                        statement,
                        (family, row) -> found.add(new Stamp(place(family, row), time(row.getLong(2)), row.getLong(3))))
                .thenApply(done -> found);
    }

    /** Rows that have cells: a partition may have only its revision. */
    private CompletableFuture<Void> each(BoundStatement statement, BiConsumer<String, Row> sink) {
        return cluster.executeAsync(statement.setIdempotent(true)).thenCompose(page -> each(page, sink));
    }

    private static CompletableFuture<Void> each(AsyncResultSet page, BiConsumer<String, Row> sink) {
        for (Row row : page.currentPage()) {
            String family = row.getString(0);
            if (family != null && !row.isNull(1)) {
                sink.accept(family, row);
            }
        }
        return page.hasMorePages()
                ? Failures.translated(page.fetchNextPage()).thenCompose(next -> each(next, sink))
                : CompletableFuture.completedFuture(null);
    }
}
