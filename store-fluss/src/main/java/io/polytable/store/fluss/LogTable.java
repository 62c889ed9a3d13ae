package io.polytable.store.fluss;

import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.store.fluss.ownership.LogRow;
import io.polytable.store.fluss.ownership.LogRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.fluss.client.lookup.Lookuper;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** The Fluss table of one log, with typed rows. Any thread may look up; only the owner writes. */
final class LogTable implements LogRows {
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
    private final ClaimantsTable claimants;
    private final Lookuper lookuper;
    private final UpsertWriter writer;

    private LogTable(FlussCluster cluster, TablePath path, ClaimantsTable claimants, Table table) {
        this.cluster = cluster;
        this.path = path;
        this.claimants = claimants;
        this.lookuper = table.newLookup().createLookuper();
        this.writer = table.newUpsert().createWriter();
    }

    static LogTable open(FlussCluster cluster, String name) {
        TablePath path = cluster.path(name);
        ClaimantsTable claimants = ClaimantsTable.open(cluster, name);
        return new LogTable(
                cluster,
                path,
                claimants,
                cluster.ownTable(path, SCHEMA, "A commit log of Polytable; rows are read and written by it alone"));
    }

    FlussCluster cluster() {
        return cluster;
    }

    @Override
    public String name() {
        return path.getTableName();
    }

    @Override
    public long latestOffset() {
        return cluster.latestOffset(path);
    }

    @Override
    public void announce(long epoch, long owner) {
        claimants.announce(epoch, owner);
    }

    @Override
    public List<Long> candidates(long epoch) {
        return claimants.candidates(epoch);
    }

    @Override
    public Optional<LogRow> read(LogKey key) {
        return cluster.await(lookup(key));
    }

    @Override
    public List<Optional<LogRow>> readAll(List<LogKey> keys) {
        List<CompletableFuture<Optional<LogRow>>> answers =
                keys.stream().map(this::lookup).toList();
        return answers.stream().map(cluster::await).toList();
    }

    /** Starts a lookup; the result waits for it. */
    Supplier<Optional<LogRow>> ask(LogKey key) {
        CompletableFuture<Optional<LogRow>> answer = lookup(key);
        return () -> cluster.await(answer);
    }

    private CompletableFuture<Optional<LogRow>> lookup(LogKey key) {
        return startLookup(key).thenApply(found -> Optional.ofNullable(found).map(row -> decode(key, row)));
    }

    // The client's objects are not thread-safe; the futures they return are.
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

    @Override
    public long write(List<LogRow> rows) {
        List<CompletableFuture<Long>> answers = new ArrayList<>();
        synchronized (this) {
            rows.forEach(row -> answers.add(writer.upsert(values(row)).thenApply(result -> result.getLogEndOffset())));
        }
        return behindAll(answers);
    }

    @Override
    public long remove(List<LogKey> keys) {
        List<CompletableFuture<Long>> answers = new ArrayList<>();
        synchronized (this) {
            keys.forEach(key -> answers.add(writer.delete(values(key)).thenApply(result -> result.getLogEndOffset())));
        }
        return behindAll(answers);
    }

    private long behindAll(List<CompletableFuture<Long>> answers) {
        return answers.stream().mapToLong(cluster::await).max().orElseThrow();
    }

    private static GenericRow values(LogRow row) {
        GenericRow values = values(row.key());
        values.setField(3, row.offset());
        values.setField(4, row.first());
        values.setField(5, row.last());
        values.setField(6, row.ticket());
        values.setField(7, row.bytesBefore());
        values.setField(8, row.more());
        values.setField(9, row.body());
        return values;
    }

    private static GenericRow values(LogKey key) {
        GenericRow values = new GenericRow(COLUMNS);
        values.setField(0, key.epoch());
        values.setField(1, key.owner());
        values.setField(2, key.seq());
        return values;
    }
}
