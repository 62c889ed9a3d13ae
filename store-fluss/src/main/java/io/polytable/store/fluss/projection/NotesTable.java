package io.polytable.store.fluss.projection;

import io.polytable.frontend.view.FollowedViews;
import io.polytable.frontend.view.TablesChangedException;
import io.polytable.store.fluss.FlussCluster;
import io.polytable.store.fluss.projection.SavedProgress.TableOffsets;
import io.polytable.table.Bytes;
import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
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
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.types.DataTypes;

/**
 * The projection's own state, in a table: how far the tables are, and the frontend's notes. Notes are buffered until {@link
 * #flush}, so that they never refer to rows that are not in their tables yet.
 *
 * <p>Each row has the log position of its window, and all rows are in one bucket. So its changelog shows what a fenced
 * owner wrote late: rows with a lower position than one before them. Its progress is passed over; its notes may hide
 * newer ones, and then the tables must be rebuilt. Not thread-safe.
 */
final class NotesTable implements FollowedViews.Notes, AutoCloseable {
    private static final String NAME = "polytable_projection";

    /** The first byte of the frontend's notes; the progress and the flush mark have others. */
    static final byte FACE = 1;

    static final byte[] PROGRESS = {0};

    /** Its value changes with each flush. */
    static final byte[] FLUSH_MARK = {2};

    private static final Schema SCHEMA = Schema.newBuilder()
            .column("note_key", DataTypes.BYTES())
            .column("note", DataTypes.BYTES())
            .column("log_position", DataTypes.BIGINT())
            .primaryKey("note_key")
            .build();
    private static final int[] COLUMNS = {0, 1, 2};
    private static final Duration POLL = Duration.ofMillis(100);

    private final FlussCluster cluster;
    private final TablePath path;
    private final Table table;
    private final Lookuper lookuper;
    private final UpsertWriter writer;
    private final Map<Bytes, Optional<Bytes>> held = new LinkedHashMap<>();
    private long position;
    private Optional<Followed> followed = Optional.empty();

    private record Followed(TableTail tail, NotesHistory history) {}

    private NotesTable(FlussCluster cluster, TablePath path, Table table) {
        this.cluster = cluster;
        this.path = path;
        this.table = table;
        this.lookuper = table.newLookup().createLookuper();
        this.writer = table.newUpsert().createWriter();
    }

    /** The first projection has the plain name. */
    static String name(String projection) {
        return projection.isEmpty() ? NAME : NAME + "_" + projection;
    }

    /** @throws TablesChangedException if the table was written by a version without positions, and was dropped */
    static NotesTable open(FlussCluster cluster, String projection) {
        TablePath path = cluster.path(name(projection));
        Table table = cluster.ownTable(
                path, SCHEMA, "What Polytable remembers of the tables it keeps; read and written by it alone");
        if (table.getTableInfo().getRowType().getFieldCount() != COLUMNS.length) {
            cluster.await(cluster.connection().getAdmin().dropTable(path, true));
            throw new TablesChangedException("the record of their progress was of an earlier version");
        }
        return new NotesTable(cluster, path, table);
    }

    /** What is written from now on belongs to a window that ends at this log position. */
    void at(long logPosition) {
        position = logPosition;
    }

    /** The progress as last written, by whomever. */
    private SavedProgress progress() {
        return value(cluster.await(lookuper.lookup(GenericRow.of((Object) PROGRESS))))
                .map(Bytes::utf8)
                .map(SavedProgress::decode)
                .orElse(SavedProgress.NONE);
    }

    /**
     * Begins to follow the table's changelog; returns the progress of the last owner, whatever fenced owners wrote since.
     * Without a position the tables must be rebuilt.
     */
    SavedProgress begin() {
        close();
        SavedProgress shown = progress();
        Optional<TableOffsets> from = Optional.ofNullable(shown.verified().get(path.getTableName()));
        TableTail tail = new TableTail(cluster, path, table, COLUMNS, from);
        NotesHistory history = new NotesHistory(shown);
        followed = Optional.of(new Followed(tail, history));
        history.expect(mark());
        long deadline = System.nanoTime() + cluster.settings().answerMax().toNanos();
        while (!history.isBegun()) {
            tail.poll(POLL).forEach(history::add);
            if (System.nanoTime() > deadline) {
                throw new StoreException(StoreError.IO, "Fluss does not show a note that it acknowledged", Map.of());
            }
        }
        boolean isIntact = tail.isGapless() && !history.takeOverwritten();
        return isIntact ? history.progress() : history.progress().forgotten();
    }

    /** Whether a fenced owner wrote over notes since this was last asked. */
    boolean isOverwritten() {
        Followed changes = followed.orElseThrow();
        changes.tail().drain(changes.history()::add);
        return changes.history().takeOverwritten();
    }

    /** Saves how far the tables are, and up to where they are verified. */
    void savePosition(Position reached, Map<String, TableOffsets> verified) {
        Followed changes = followed.orElseThrow();
        Map<String, TableOffsets> all = new HashMap<>(verified);
        all.put(path.getTableName(), changes.tail().offsets());
        save(new SavedProgress(Optional.of(reached), all, changes.history().highest()));
    }

    /** Invalidates the tables until a position is saved again. */
    void forgetPosition() {
        save(progress().forgotten());
    }

    private void save(SavedProgress progress) {
        cluster.await(writer.upsert(
                GenericRow.of(PROGRESS, Bytes.utf8(progress.encode()).toByteArray(), position)));
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
                        ? writer.upsert(GenericRow.of(row(key), note.get().toByteArray(), position))
                        : writer.delete(GenericRow.of(row(key), null, null))));
        // Lookups may lag behind acknowledgements, but they show writes in order. So it is enough to see the last
        // write, if its value is new.
        Bytes mark = Bytes.utf8(UUID.randomUUID().toString());
        writes.add(writer.upsert(GenericRow.of(FLUSH_MARK, mark.toByteArray(), position)));
        cluster.await(CompletableFuture.allOf(writes.toArray(CompletableFuture<?>[]::new)));
        cluster.awaitTrue(() -> value(cluster.await(lookuper.lookup(GenericRow.of((Object) FLUSH_MARK))))
                .equals(Optional.of(mark)));
        held.clear();
    }

    /** Writes a mark; returns its value. */
    private Bytes mark() {
        Bytes mark = Bytes.utf8(UUID.randomUUID().toString());
        cluster.await(writer.upsert(GenericRow.of(FLUSH_MARK, mark.toByteArray(), position)));
        return mark;
    }

    /** Ends following; the table itself is closed with the connection. */
    @Override
    public void close() {
        followed.ifPresent(changes -> changes.tail().close());
        followed = Optional.empty();
    }

    private static byte[] row(Bytes key) {
        byte[] row = new byte[1 + key.length()];
        row[0] = FACE;
        key.copyTo(row, 1);
        return row;
    }
}
