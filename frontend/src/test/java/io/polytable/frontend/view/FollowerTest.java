package io.polytable.frontend.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.view.VisibleChange.Kind;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.ColumnVector;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.column.SortOrder;
import io.polytable.table.column.Value;
import io.polytable.table.feed.Change;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.Batch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A follower reports exactly the rows that differ between two snapshots, whatever the commits in between did. */
class FollowerTest {
    private static final int KEYS = 12;
    private static final int BATCH_ROWS = 5;

    private final MemoryStore store = new MemoryStore();
    private final Table table = store.create(new TableSpec(
            new TableName("test", "rows"),
            TableKind.SHARED,
            List.of(new Column("k", ColumnType.BYTES), new Column("v", ColumnType.BYTES)),
            List.of(new KeyColumn("k", SortOrder.ASCENDING)),
            List.of(),
            TableOptions.DEFAULT));
    private final RowsView view = new RowsView(table);
    private final MemoryNotes notes = new MemoryNotes();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theChangesOfEachWindowLeadFromItsStartToItsEnd(long seed) {
        Random random = new Random(seed);
        Map<String, String> copy = new TreeMap<>();
        Snapshot before = store.snapshot();
        try (Follower follower = Follower.after(store, before.position(), views(), notes, BATCH_ROWS)) {
            for (int window = 0; window < 40; window++) {
                write(random);
                Snapshot end = store.snapshot();
                window(follower, before, end).forEach(change -> apply(copy, change));
                assertThat(copy).as("seed %d, window %d", seed, window).isEqualTo(rows(end));
                before.close();
                before = end;
            }
        }
        before.close();
    }

    @Test
    void aConditionTurnsUpdatesIntoRowsThatEnterAndLeave() {
        put("a", "1");
        put("b", "9");
        put("c", "1");
        try (Snapshot before = store.snapshot();
                Follower follower = Follower.after(store, before.position(), views(), notes, BATCH_ROWS)) {
            put("a", "8");
            put("b", "2");
            put("c", "1");
            put("d", "7");
            put("e", "3");
            try (Snapshot end = store.snapshot()) {
                Map<String, Kind> kinds = new HashMap<>();
                for (VisibleChange change : window(follower, before, end)) {
                    kinds.put(
                            text(change.key(), 0),
                            change.kind(row -> text(row, 1).compareTo("5") > 0));
                }
                assertThat(kinds)
                        .as("c was written with the value that it had")
                        .isEqualTo(Map.of("a", Kind.ENTER, "b", Kind.LEAVE, "d", Kind.INSERT, "e", Kind.NONE));
            }
        }
    }

    @Test
    void anInterruptedWindowIsRepeatedFromItsStart() {
        try (Snapshot before = store.snapshot()) {
            put("a", "1");
            try (Follower broken = Follower.after(store, before.position(), views(), notes, BATCH_ROWS);
                    Snapshot end = store.snapshot();
                    Follower.Window window = broken.window(end, (of, key, row) -> {})) {
                window.follow();
            }
            put("b", "2");
            try (Follower next = Follower.after(store, before.position(), views(), notes, BATCH_ROWS);
                    Snapshot end = store.snapshot()) {
                Map<String, String> copy = new TreeMap<>();
                window(next, before, end).forEach(change -> apply(copy, change));
                assertThat(copy).isEqualTo(Map.of("a", "1", "b", "2"));
            }
        }
    }

    @Test
    void everythingIsEachRowOnce() {
        Set<String> written = new TreeSet<>();
        for (int i = 0; i < 3 * BATCH_ROWS + 1; i++) {
            put("k" + i, "v");
            written.add("k" + i);
        }
        List<String> reported = new ArrayList<>();
        try (Follower follower = Follower.ofEverything(views(), notes, BATCH_ROWS);
                Snapshot end = store.snapshot();
                Follower.Window window = follower.window(end, (of, key, row) -> reported.add(text(key, 0)))) {
            window.everything();
        }
        assertThat(reported).containsExactlyInAnyOrderElementsOf(written);
    }

    private static List<VisibleChange> window(Follower follower, Snapshot before, Snapshot end) {
        List<VisibleChange> changes = new ArrayList<>();
        try (VisibleChange.Reporter reporter = new VisibleChange.Reporter(before, changes::add);
                Follower.Window window = follower.window(end, reporter)) {
            window.follow();
            window.end();
        }
        return changes;
    }

    private static void apply(Map<String, String> copy, VisibleChange change) {
        String key = text(change.key(), 0);
        switch (change.kind()) {
            case INSERT, UPDATE -> copy.put(key, text(change.after().orElseThrow(), 1));
            case DELETE -> assertThat(change.after()).isEmpty();
            case NONE, ENTER, LEAVE -> throw new AssertionError("no condition was given: " + change);
        }
        if (change.kind() == Kind.DELETE) {
            copy.remove(key);
        }
    }

    private void write(Random random) {
        for (int commit = random.nextInt(5); commit > 0; commit--) {
            Batch batch = new Batch();
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                RowKey key = RowKey.whole(Bytes.utf8("k" + random.nextInt(KEYS)));
                if (random.nextInt(3) == 0) {
                    batch.delete(table, key);
                } else {
                    batch.put(table, key, Bytes.utf8("v" + random.nextInt(3)));
                }
            }
            store.commit(batch);
        }
    }

    private void put(String key, String value) {
        store.commit(new Batch().put(table, RowKey.whole(Bytes.utf8(key)), Bytes.utf8(value)));
    }

    private Map<String, String> rows(Reader reader) {
        Map<String, String> rows = new TreeMap<>();
        try (View.RowCursor cursor = view.open(reader)) {
            while (cursor.next()) {
                rows.put(text(cursor.row(), 0), text(cursor.row(), 1));
            }
        }
        return rows;
    }

    private static String text(List<Value> row, int column) {
        return ((Value.OfBytes) row.get(column)).value().utf8();
    }

    private FollowedViews views() {
        return new FollowedViews() {
            @Override
            public List<View> views() {
                return List.of(view);
            }

            @Override
            public Set<Table> sources() {
                return Set.of(table);
            }

            @Override
            public Session begin(Notes unused) {
                return end -> new Window() {
                    @Override
                    public void touchedBy(List<Change> changes, Touched touched) {
                        changes.forEach(change -> touched.row(view, List.of(new Value.OfBytes(change.key()))));
                    }

                    @Override
                    public void everything(Touched touched) {
                        rows(end)
                                .keySet()
                                .forEach(key -> touched.row(view, List.of(new Value.OfBytes(Bytes.utf8(key)))));
                    }
                };
            }
        };
    }

    /** Rows of a table as they are; looked up by a scan, as views do that have nothing better. */
    private record RowsView(Table table) implements View {
        @Override
        public TableName name() {
            return table.name();
        }

        @Override
        public List<Column> columns() {
            return table.spec().columns();
        }

        @Override
        public List<String> key() {
            return List.of("k");
        }

        @Override
        public ViewRows candidates(Reader reader, ViewScan scan) {
            Cursor cursor = reader.scan(table, KeyRange.ALL);
            return new ViewRows() {
                @Override
                public boolean next() {
                    return cursor.next();
                }

                @Override
                public void add(int column, ColumnVector target) {
                    target.add(new Value.OfBytes(column == 0 ? cursor.key() : cursor.value()));
                }

                @Override
                public void close() {
                    cursor.close();
                }
            };
        }
    }

    private static final class MemoryNotes implements FollowedViews.Notes {
        private final Map<Bytes, Bytes> notes = new HashMap<>();

        @Override
        public List<Optional<Bytes>> read(List<Bytes> keys) {
            return keys.stream().map(key -> Optional.ofNullable(notes.get(key))).toList();
        }

        @Override
        public void put(Bytes key, Bytes note) {
            notes.put(key, note);
        }

        @Override
        public void remove(Bytes key) {
            notes.remove(key);
        }
    }
}
