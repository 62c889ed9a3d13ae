package io.polytable.store.fluss;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.fluss.client.lookup.Lookuper;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.types.DataTypes;

/** The Fluss table with a log's checkpoints: files in pieces. Not thread-safe. */
final class CheckpointTable {
    private static final Schema SCHEMA = Schema.newBuilder()
            .column("checkpoint", DataTypes.BIGINT())
            .column("file", DataTypes.STRING())
            .column("chunk", DataTypes.INT())
            .column("body", DataTypes.BYTES())
            .primaryKey("checkpoint", "file", "chunk")
            .build();
    private static final int COLUMNS = 4;
    /** Pieces in flight, a megabyte each. */
    private static final int ON_THE_WAY_MAX = 8;

    private final FlussCluster cluster;
    private final Lookuper lookuper;
    private final UpsertWriter writer;
    private final Deque<CompletableFuture<?>> onTheWay = new ArrayDeque<>();

    /** The key of a piece of a file. */
    record Piece(long checkpoint, String file, int chunk) {}

    private CheckpointTable(FlussCluster cluster, Table table) {
        this.cluster = cluster;
        this.lookuper = table.newLookup().createLookuper();
        this.writer = table.newUpsert().createWriter();
    }

    static CheckpointTable open(FlussCluster cluster, String name) {
        return new CheckpointTable(
                cluster,
                cluster.ownTable(
                        cluster.path(name),
                        SCHEMA,
                        "Images of a Polytable store's state; its log continues from the last of them"));
    }

    Optional<byte[]> read(Piece piece) {
        return cluster.await(lookup(piece));
    }

    /** The pieces in their order, looked up together. */
    List<Optional<byte[]>> readAll(List<Piece> pieces) {
        List<CompletableFuture<Optional<byte[]>>> answers =
                pieces.stream().map(this::lookup).toList();
        return answers.stream().map(cluster::await).toList();
    }

    private CompletableFuture<Optional<byte[]>> lookup(Piece piece) {
        GenericRow key = GenericRow.of(piece.checkpoint(), BinaryString.fromString(piece.file()), piece.chunk());
        return lookuper.lookup(key)
                .thenApply(
                        result -> Optional.ofNullable(result.getSingletonRow()).map(row -> row.getBytes(3)));
    }

    /** Starts a write; {@link #settle} waits until all writes are acknowledged. */
    void write(Piece piece, byte[] body) {
        GenericRow row = row(piece);
        row.setField(3, body);
        send(writer.upsert(row));
    }

    void remove(Piece piece) {
        send(writer.delete(row(piece)));
    }

    private static GenericRow row(Piece piece) {
        GenericRow row = new GenericRow(COLUMNS);
        row.setField(0, piece.checkpoint());
        row.setField(1, BinaryString.fromString(piece.file()));
        row.setField(2, piece.chunk());
        return row;
    }

    private void send(CompletableFuture<?> answer) {
        onTheWay.addLast(answer);
        while (onTheWay.size() > ON_THE_WAY_MAX) {
            cluster.await(onTheWay.removeFirst());
        }
    }

    /** Waits until reads show the piece, and hence everything written before it. */
    void awaitShown(Piece piece, byte[] body) {
        settle();
        cluster.awaitTrue(
                () -> read(piece).filter(seen -> Arrays.equals(seen, body)).isPresent());
    }

    void settle() {
        while (!onTheWay.isEmpty()) {
            cluster.await(onTheWay.removeFirst());
        }
    }
}
