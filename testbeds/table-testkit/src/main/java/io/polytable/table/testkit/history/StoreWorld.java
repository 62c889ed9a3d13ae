package io.polytable.table.testkit.history;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Position;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.testkit.Rows;
import io.polytable.table.write.Batch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A real store, reopened at each restart. */
final class StoreWorld implements World {
    private static final int PATIENCE_SECONDS = 30;
    private static final int POLL_MOST = 7;

    private final Supplier<TableStore> opener;
    private final Runnable settler;
    private TableStore store;
    private final Map<Integer, Snapshot> snapshots = new TreeMap<>();
    private final Map<Integer, Cursor> cursors = new TreeMap<>();

    /** The rows of a follower of the feed, by table id, and its position. */
    private final Map<Integer, NavigableMap<Bytes, Bytes>> followed = new TreeMap<>();

    private Position followedTo = Position.START;

    StoreWorld(Supplier<TableStore> opener, Runnable settler) {
        this.opener = opener;
        this.settler = settler;
        store = opener.get();
        Workload.TABLES.forEach(this::table);
    }

    private Table table(String name) {
        return store.create(Rows.spec(name));
    }

    @Override
    public String commit(List<Write> writes) {
        Batch batch = new Batch();
        for (Write write : writes) {
            if (write instanceof Write.Put put) {
                batch.put(table(put.table()), Rows.key(put.key()), Rows.value(put.value()));
            } else if (write instanceof Write.Delete delete) {
                batch.delete(table(delete.table()), Rows.key(delete.key()));
            } else if (write instanceof Write.DeleteRange delete) {
                batch.deleteRange(table(delete.table()), delete.span().range());
            }
        }
        store.commit(batch);
        return DONE;
    }

    @Override
    public String read(String table, List<String> keys) {
        List<RowKey> rowKeys = keys.stream().map(Rows::key).toList();
        List<Optional<Bytes>> values = keys.size() == 1
                ? List.of(store.read(table(table), rowKeys.get(0)))
                : store.readMany(table(table), rowKeys);
        return values.stream()
                .map(value -> value.map(Bytes::utf8).orElse(NONE))
                .toList()
                .toString();
    }

    @Override
    public String scan(Scan scan) {
        return rows(store, scan);
    }

    private String rows(Reader reader, Scan scan) {
        return Rows.in(reader, table(scan.table()), scan.span().range(), scan.direction(), scan.limit())
                .toString();
    }

    @Override
    public String takeSnapshot(int slot) {
        close(snapshots.remove(slot));
        snapshots.put(slot, store.snapshot());
        return DONE;
    }

    @Override
    public String scanSnapshot(int slot, Scan scan) {
        Snapshot snapshot = snapshots.get(slot);
        return snapshot == null ? NONE : rows(snapshot, scan);
    }

    @Override
    public String openCursor(int slot, Scan scan) {
        close(cursors.remove(slot));
        cursors.put(slot, store.scan(table(scan.table()), scan.span().range(), scan.direction(), scan.limit()));
        return DONE;
    }

    @Override
    public String advanceCursor(int slot, int rows) {
        Cursor cursor = cursors.get(slot);
        if (cursor == null) {
            return NONE;
        }
        List<String> next = new ArrayList<>();
        while (next.size() < rows && cursor.next()) {
            next.add(Rows.show(cursor.key(), cursor.value()));
        }
        return next.toString();
    }

    @Override
    public String seekCursor(int slot, String key) {
        Cursor cursor = cursors.get(slot);
        if (cursor == null) {
            return NONE;
        }
        return cursor.seek(Bytes.utf8(key)) ? "[" + Rows.show(cursor.key(), cursor.value()) + "]" : "[]";
    }

    @Override
    public String follow() {
        awaitDurable();
        try (ChangeFeed feed = store.changes(new HashSet<>(store.tables()), followedTo)) {
            for (List<Change> some = poll(feed); !some.isEmpty(); some = poll(feed)) {
                some.forEach(this::apply);
            }
            followedTo = Position.parse(feed.position().text());
        }
        TreeMap<String, TreeMap<String, String>> shown = new TreeMap<>();
        for (String name : Workload.TABLES) {
            TreeMap<String, String> rows = new TreeMap<>();
            followedRows(table(name)).forEach((key, value) -> rows.put(key.utf8(), value.utf8()));
            shown.put(name, rows);
        }
        return shown.toString();
    }

    private static List<Change> poll(ChangeFeed feed) {
        return feed.poll(POLL_MOST, Duration.ZERO);
    }

    private NavigableMap<Bytes, Bytes> followedRows(Table table) {
        return followed.computeIfAbsent(table.id(), id -> new TreeMap<>());
    }

    private void apply(Change change) {
        NavigableMap<Bytes, Bytes> rows = followedRows(change.table());
        switch (change.kind()) {
            case PUT -> rows.put(change.key(), change.value().orElseThrow());
            case DELETE -> rows.remove(change.key());
            case DELETE_RANGE ->
                rows.keySet()
                        .removeIf(KeyRange.between(change.key(), change.end().orElseThrow())::contains);
        }
    }

    private void awaitDurable() {
        try {
            store.latest().durable().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("a commit did not become durable", e);
        }
    }

    @Override
    public String recreate(String table) {
        closeSlots();
        store.drop(table(table).name());
        table(table);
        return DONE;
    }

    @Override
    public String restart() {
        close();
        store = opener.get();
        return DONE;
    }

    @Override
    public String settle() {
        settler.run();
        return DONE;
    }

    private void closeSlots() {
        cursors.values().forEach(Cursor::close);
        cursors.clear();
        snapshots.values().forEach(Snapshot::close);
        snapshots.clear();
    }

    private static void close(@Nullable AutoCloseable thing) {
        if (thing != null) {
            try {
                thing.close();
            } catch (Exception e) {
                throw new AssertionError("closing failed", e);
            }
        }
    }

    @Override
    public void close() {
        closeSlots();
        store.close();
    }
}
