package io.polytable.store.fluss;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.fluss.client.lookup.Lookuper;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** The table that holds one log, its rows typed. Any thread may look up; writes are the owner's. */
final class LogTable {
    private static final Schema SCHEMA = Schema.newBuilder()
            .column("epoch", DataTypes.BIGINT())
            .column("owner", DataTypes.BIGINT())
            .column("seq", DataTypes.BIGINT())
            .column("log_offset", DataTypes.BIGINT())
            .column("first_position", DataTypes.BIGINT())
            .column("last_position", DataTypes.BIGINT())
            .column("ticket", DataTypes.BIGINT())
            .column("bytes_before", DataTypes.BIGINT())
            .column("more", DataTypes.INT())
            .column("body", DataTypes.BYTES())
            .primaryKey("epoch", "owner", "seq")
            .build();
    private static final int COLUMNS = 10;

    private final FlussCluster cluster;
    private final TablePath path;
    private final Lookuper lookuper;
    private final UpsertWriter writer;

    private LogTable(FlussCluster cluster, TablePath path, Table table) {
        this.cluster = cluster;
        this.path = path;
        this.lookuper = table.newLookup().createLookuper();
        this.writer = table.newUpsert().createWriter();
    }

    static LogTable open(FlussCluster cluster, String name) {
        TablePath path = cluster.path(name);
        return new LogTable(
                cluster,
                path,
                cluster.ownTable(path, SCHEMA, "A commit log of Polytable; rows are read and written by it alone"));
    }

    FlussCluster cluster() {
        return cluster;
    }

    String name() {
        return path.getTableName();
    }

    /** The offset behind everything that is committed. */
    long latestOffset() {
        return cluster.latestOffset(path);
    }

    Optional<LogRow> read(LogKey key) {
        return cluster.await(lookup(key));
    }

    CompletableFuture<Optional<LogRow>> lookup(LogKey key) {
        return startLookup(key).thenApply(found -> Optional.ofNullable(found).map(row -> decode(key, row)));
    }

    // The client's objects are not for several threads at once; what they start is.
    private synchronized CompletableFuture<@Nullable InternalRow> startLookup(LogKey key) {
        return lookuper.lookup(GenericRow.of(key.epoch(), key.owner(), key.seq()))
                .thenApply(result -> result.getSingletonRow());
    }

    private static LogRow decode(LogKey key, InternalRow row) {
        return new LogRow(
                key,
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6),
                row.getLong(7),
                row.getInt(8),
                row.getBytes(9));
    }

    /** Answers the offset behind the row. */
    synchronized CompletableFuture<Long> write(LogRow row) {
        GenericRow values = key(row.key());
        values.setField(3, row.offset());
        values.setField(4, row.first());
        values.setField(5, row.last());
        values.setField(6, row.ticket());
        values.setField(7, row.bytesBefore());
        values.setField(8, row.more());
        values.setField(9, row.body());
        return writer.upsert(values).thenApply(result -> result.getLogEndOffset());
    }

    /** Answers the offset behind the removal. */
    synchronized CompletableFuture<Long> remove(LogKey key) {
        return writer.delete(key(key)).thenApply(result -> result.getLogEndOffset());
    }

    private static GenericRow key(LogKey key) {
        GenericRow values = new GenericRow(COLUMNS);
        values.setField(0, key.epoch());
        values.setField(1, key.owner());
        values.setField(2, key.seq());
        return values;
    }
}
