package io.polytable.store.fluss.projection;

import io.polytable.store.fluss.FlussCluster;
import io.polytable.table.Bytes;
import io.polytable.table.Position;
import io.polytable.table.view.Projection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.fluss.client.lookup.LookupResult;
import org.apache.fluss.client.lookup.Lookuper;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.types.DataTypes;

/**
 * The projection's own state, in a table: how far the tables are, and the face's notes. Notes are buffered until {@link
 * #flush}, so that they never refer to rows that are not in their tables yet. Not thread-safe.
 */
final class NotesTable implements Projection.Notes {
    private static final String NAME = "polytable_projection";

    /** The first byte of the face's notes; the position and the flush mark have others. */
    private static final byte FACE = 1;

    private static final byte[] POSITION = {0};

    /** Its value changes with each flush. */
    private static final byte[] FLUSH_MARK = {2};

    private static final Schema SCHEMA = Schema.newBuilder()
            .column("note_key", DataTypes.BYTES())
            .column("note", DataTypes.BYTES())
            .primaryKey("note_key")
            .build();

    private final FlussCluster cluster;
    private final Lookuper lookuper;
    private final UpsertWriter writer;
    private final Map<Bytes, Optional<Bytes>> held = new LinkedHashMap<>();

    private NotesTable(FlussCluster cluster, Table table) {
        this.cluster = cluster;
        this.lookuper = table.newLookup().createLookuper();
        this.writer = table.newUpsert().createWriter();
    }

    /** The first projection has the plain name. */
    static String name(String projection) {
        return projection.isEmpty() ? NAME : NAME + "_" + projection;
    }

    static NotesTable open(FlussCluster cluster, String projection) {
        return new NotesTable(
                cluster,
                cluster.ownTable(
                        cluster.path(name(projection)),
                        SCHEMA,
                        "What Polytable remembers of the tables it keeps; read and written by it alone"));
    }

    /** The end of the last window; empty if the tables have to be rebuilt. */
    Optional<Position> position() {
        return value(cluster.await(lookuper.lookup(GenericRow.of((Object) POSITION))))
                .map(Bytes::utf8)
                .map(Position::new);
    }

    void savePosition(Position position) {
        cluster.await(writer.upsert(
                GenericRow.of(POSITION, Bytes.utf8(position.text()).toByteArray())));
    }

    /** Invalidates the tables until a position is saved again. */
    void forgetPosition() {
        cluster.await(writer.delete(GenericRow.of(POSITION, null)));
    }

    @Override
    public List<Optional<Bytes>> read(List<Bytes> keys) {
        List<CompletableFuture<Optional<Bytes>>> answers = new ArrayList<>();
        for (Bytes key : keys) {
            Optional<Bytes> note = held.get(key);
            answers.add(
                    note != null
                            ? CompletableFuture.completedFuture(note)
                            : lookuper.lookup(GenericRow.of((Object) row(key))).thenApply(NotesTable::value));
        }
        return answers.stream().map(cluster::await).toList();
    }

    private static Optional<Bytes> value(LookupResult found) {
        InternalRow row = found.getSingletonRow();
        return row == null ? Optional.empty() : Optional.of(Bytes.of(row.getBytes(1)));
    }

    @Override
    public void put(Bytes key, Bytes note) {
        held.put(key, Optional.of(note));
    }

    @Override
    public void remove(Bytes key) {
        held.put(key, Optional.empty());
    }

    /** Writes the buffered notes. All rows they refer to must be in their tables. */
    void flush() {
        if (held.isEmpty()) {
            return;
        }
        List<CompletableFuture<?>> writes = new ArrayList<>();
        held.forEach((key, note) -> writes.add(
                note.isPresent()
                        ? writer.upsert(GenericRow.of(row(key), note.get().toByteArray()))
                        : writer.delete(GenericRow.of(row(key), null))));
        // Lookups may lag behind acknowledgements, but they show writes in order. So it is enough to see the last
        // write, if its value is new.
        Bytes mark = Bytes.utf8(UUID.randomUUID().toString());
        writes.add(writer.upsert(GenericRow.of(FLUSH_MARK, mark.toByteArray())));
        cluster.await(CompletableFuture.allOf(writes.toArray(CompletableFuture<?>[]::new)));
        cluster.awaitTrue(() -> value(cluster.await(lookuper.lookup(GenericRow.of((Object) FLUSH_MARK))))
                .equals(Optional.of(mark)));
        held.clear();
    }

    private static byte[] row(Bytes key) {
        byte[] row = new byte[1 + key.length()];
        row[0] = FACE;
        key.copyTo(row, 1);
        return row;
    }
}
