package io.polytable.table.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.write.EncodedRow;
import io.polytable.table.write.WriteSet;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads of uncommitted changes in a write set, and its commit actions. */
class WriteSetTest {
    private final MemoryStore store = new MemoryStore();
    private final Table table = store.create(new TableSpec(
            new TableName("test", "rows"),
            TableKind.FACE,
            List.of(new Column("key", ColumnType.BYTES), new Column("value", ColumnType.BYTES)),
            List.of(KeyColumn.ascending("key")),
            List.of(),
            TableOptions.DEFAULT));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void readsAndScansSeeOwnWritesOverTheStore(long seed) {
        Random random = new Random(seed);
        WriteSet work = new WriteSet(store);
        NavigableMap<Bytes, Bytes> oracle = new TreeMap<>();
        for (int step = 0; step < 2000; step++) {
            change(random, work, oracle);
            compare(random, work, oracle, "seed " + seed + ", step " + step);
            if (random.nextInt(40) == 0) {
                work.commit();
            }
        }
    }

    /** A mark, and what there was then. */
    private record Savepoint(WriteSet.Mark mark, NavigableMap<Bytes, Bytes> rows) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void rollsBackToAnyMark(long seed) {
        Random random = new Random(seed);
        WriteSet work = new WriteSet(store);
        NavigableMap<Bytes, Bytes> oracle = new TreeMap<>();
        Deque<Savepoint> marks = new ArrayDeque<>();
        for (int step = 0; step < 2000; step++) {
            change(random, work, oracle);
            if (random.nextInt(6) == 0) {
                marks.push(new Savepoint(work.mark(), new TreeMap<>(oracle)));
            }
            if (random.nextInt(8) == 0 && !marks.isEmpty()) {
                for (int i = random.nextInt(marks.size()); i > 0; i--) {
                    marks.pop();
                }
                work.rollBackTo(marks.element().mark());
                oracle = new TreeMap<>(marks.element().rows());
            }
            compare(random, work, oracle, "seed " + seed + ", step " + step);
            if (random.nextInt(100) == 0) {
                work.commit();
                marks.clear();
            }
        }
        work.commit();
        assertThat(scan(work, KeyRange.ALL, Direction.FORWARD, 1000)).isEqualTo(first(oracle, 1000));
    }

    @Test
    void aRollbackForgetsActionsAndChangesTheUnit() {
        WriteSet work = new WriteSet(store);
        List<String> heard = new ArrayList<>();
        work.afterCommit(() -> heard.add("before"));
        WriteSet.Mark mark = work.mark();
        long unit = work.unit();
        work.put(table, RowKey.whole(Bytes.utf8("a")), Bytes.EMPTY);
        work.afterCommit(() -> heard.add("after"));
        work.rollBackTo(mark);
        work.rollBackTo(mark);
        assertThat(work.isEmpty()).isTrue();
        assertThat(work.unit()).isNotEqualTo(unit);
        work.commit();
        assertThat(heard).containsExactly("before");
        assertThatThrownBy(() -> work.rollBackTo(mark)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anOpenCursorOutlivesARollback() {
        WriteSet work = new WriteSet(store);
        WriteSet.Mark mark = work.mark();
        work.put(table, RowKey.whole(Bytes.utf8("a")), Bytes.utf8("1"));
        work.put(table, RowKey.whole(Bytes.utf8("b")), Bytes.utf8("2"));
        try (Cursor cursor = work.scan(table, KeyRange.ALL)) {
            work.rollBackTo(mark);
            work.put(table, RowKey.whole(Bytes.utf8("c")), Bytes.utf8("3"));
            assertThat(Rows.rest(cursor)).containsExactly("a=1", "b=2");
        }
    }

    /** An open cursor, and what it is still to show. */
    private record Open(Cursor cursor, Deque<String> rest) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anOpenCursorShowsWhatThereWasWhenItWasOpened(long seed) {
        Random random = new Random(seed);
        WriteSet work = new WriteSet(store);
        NavigableMap<Bytes, Bytes> oracle = new TreeMap<>();
        NavigableMap<Bytes, Bytes> marked = new TreeMap<>();
        WriteSet.Mark mark = work.mark();
        List<Open> cursors = new ArrayList<>();
        for (int step = 0; step < 3000; step++) {
            change(random, work, oracle);
            int event = random.nextInt(60);
            if (event == 0) {
                work.commit();
            } else if (event == 1) {
                work.rollBackTo(mark);
                oracle = new TreeMap<>(marked);
            }
            if (event == 0 || event == 2) {
                mark = work.mark();
                marked = new TreeMap<>(oracle);
            } else if (event < 8) {
                cursors.add(opened(work, oracle, random.nextBoolean()));
            }
            cursors.removeIf(open -> random.nextInt(4) == 0 && isOver(open, "seed " + seed));
        }
        cursors.forEach(open -> open.cursor().close());
    }

    private Open opened(WriteSet work, NavigableMap<Bytes, Bytes> oracle, boolean forward) {
        Cursor cursor = work.scan(table, KeyRange.ALL, forward ? Direction.FORWARD : Direction.REVERSE, 1000);
        return new Open(cursor, new ArrayDeque<>(first(forward ? oracle : oracle.descendingMap(), 1000)));
    }

    private static boolean isOver(Open open, String where) {
        boolean there = open.cursor().next();
        assertThat(there).as(where).isEqualTo(!open.rest().isEmpty());
        if (there) {
            assertThat(open.cursor().key() + "=" + open.cursor().value())
                    .as(where)
                    .isEqualTo(open.rest().remove());
        } else {
            open.cursor().close();
        }
        return !there;
    }

    /** Hundreds of thousands of small rows: what is kept to find them is no more than some times their bytes. */
    @Test
    void aScanThroughVeryManyOwnRowsTakesLittleMemory() {
        WriteSet work = new WriteSet(store);
        for (int i = 0; i < 300_000; i++) {
            work.put(table, RowKey.whole(Bytes.utf8("k" + i * 7 % 300_000)), Bytes.utf8("v"));
        }
        long before = allocated();
        assertThat(scan(work, KeyRange.ALL, Direction.FORWARD, 1)).containsExactly("\"k0\"=\"v\"");
        assertThat(allocated() - before).isLessThan(4 * work.sizeBytes());
        long indexed = allocated();
        assertThat(scan(work, KeyRange.ALL, Direction.REVERSE, 1)).containsExactly("\"k99999\"=\"v\"");
        assertThat(allocated() - indexed).isLessThan(1 << 20);
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    @Test
    void overASnapshotReadsSeeTheSnapshotAndOwnWrites() {
        WriteSet before = new WriteSet(store);
        before.put(table, RowKey.whole(Bytes.utf8("a")), Bytes.utf8("old"));
        before.put(table, RowKey.whole(Bytes.utf8("b")), Bytes.utf8("old"));
        before.commit();
        try (Snapshot snapshot = store.snapshot()) {
            before.put(table, RowKey.whole(Bytes.utf8("a")), Bytes.utf8("late"));
            before.put(table, RowKey.whole(Bytes.utf8("d")), Bytes.utf8("late"));
            before.commit();
            WriteSet work = new WriteSet(store, snapshot);
            work.put(table, RowKey.whole(Bytes.utf8("c")), Bytes.utf8("own"));
            work.delete(table, RowKey.whole(Bytes.utf8("b")));
            assertThat(Rows.all(work, table)).containsExactly("a=old", "c=own");
            assertThat(work.readMany(
                            table,
                            Stream.of("d", "c", "b", "a")
                                    .map(Bytes::utf8)
                                    .map(RowKey::whole)
                                    .toList()))
                    .containsExactly(
                            Optional.empty(),
                            Optional.of(Bytes.utf8("own")),
                            Optional.empty(),
                            Optional.of(Bytes.utf8("old")));
            assertThat(work.changes()).isEqualTo(2);
            assertThat(work.change(new EncodedRow(), 1).key()).isEqualTo(Bytes.utf8("b"));
            work.commit();
        }
        assertThat(Rows.all(store, table)).containsExactly("a=late", "c=own", "d=late");
    }

    /** Each change costs one step of the index, whatever the set holds: thousands of them end at once. */
    @Test
    void aLargeSetIsRolledBackManyTimes() {
        WriteSet work = new WriteSet(store);
        for (int i = 0; i < 20_000; i++) {
            work.put(table, RowKey.whole(Bytes.utf8("k%05d".formatted(i))), Bytes.utf8("v"));
        }
        RowKey last = RowKey.whole(Bytes.utf8("k19999"));
        for (int i = 0; i < 5000; i++) {
            WriteSet.Mark mark = work.mark();
            work.deleteRange(table, KeyRange.between(Bytes.utf8("k1"), Bytes.utf8("k2")));
            work.put(table, last, Bytes.utf8("w" + i));
            assertThat(work.read(table, last)).contains(Bytes.utf8("w" + i));
            work.rollBackTo(mark);
        }
        assertThat(work.read(table, last)).contains(Bytes.utf8("v"));
        assertThat(work.changes()).isEqualTo(20_000);
    }

    private void change(Random random, WriteSet work, NavigableMap<Bytes, Bytes> oracle) {
        Bytes key = key(random);
        int kind = random.nextInt(60);
        if (kind == 0) {
            Bytes other = key(random);
            KeyRange range = key.compareTo(other) < 0 ? KeyRange.between(key, other) : KeyRange.between(other, key);
            work.deleteRange(table, range);
            oracle.subMap(range.from(), range.to()).clear();
        } else if (kind < 20) {
            work.delete(table, RowKey.whole(key));
            oracle.remove(key);
        } else {
            Bytes value = Bytes.utf8("v" + random.nextInt());
            work.put(table, RowKey.whole(key), value);
            oracle.put(key, value);
        }
    }

    private void compare(Random random, WriteSet work, NavigableMap<Bytes, Bytes> oracle, String where) {
        Bytes key = key(random);
        assertThat(work.read(table, RowKey.whole(key)).orElse(Bytes.EMPTY))
                .as(where)
                .isEqualTo(oracle.getOrDefault(key, Bytes.EMPTY));
        int limit = 1 + random.nextInt(5);
        Bytes to = random.nextBoolean() ? Bytes.EMPTY : key(random);
        KeyRange range = KeyRange.between(key, to);
        NavigableMap<Bytes, Bytes> expected = range.isEmpty()
                ? new TreeMap<>()
                : to.isEmpty() ? oracle.tailMap(key, true) : oracle.subMap(key, true, to, false);
        assertThat(scan(work, range, Direction.FORWARD, limit)).as(where).isEqualTo(first(expected, limit));
        assertThat(scan(work, range, Direction.REVERSE, limit))
                .as(where)
                .isEqualTo(first(expected.descendingMap(), limit));
        compareSeeks(random, work, range, expected, where);
    }

    private void compareSeeks(
            Random random, WriteSet work, KeyRange range, NavigableMap<Bytes, Bytes> expected, String where) {
        boolean forward = random.nextBoolean();
        int limit = 1 + random.nextInt(4);
        List<Bytes> ahead = new ArrayList<>((forward ? expected : expected.descendingMap()).keySet());
        try (Cursor cursor = work.scan(table, range, forward ? Direction.FORWARD : Direction.REVERSE, limit)) {
            for (int i = 0; i < limit + 1; i++) {
                Bytes target = key(random);
                boolean seeks = random.nextInt(3) > 0;
                boolean there = seeks ? cursor.seek(target) : cursor.next();
                while (seeks
                        && !ahead.isEmpty()
                        && (forward ? 1 : -1) * ahead.get(0).compareTo(target) < 0) {
                    ahead.remove(0);
                }
                assertThat(there).as(where).isEqualTo(i < limit && !ahead.isEmpty());
                if (!there) {
                    return;
                }
                assertThat(cursor.keySlice().toBytes()).as(where).isEqualTo(ahead.remove(0));
                assertThat(cursor.valueSlice().toBytes()).as(where).isEqualTo(expected.get(cursor.key()));
            }
        }
    }

    private List<String> scan(WriteSet work, KeyRange range, Direction direction, int limit) {
        List<String> rows = new ArrayList<>();
        try (Cursor cursor = work.scan(table, range, direction, limit)) {
            while (cursor.next()) {
                rows.add(cursor.key() + "=" + cursor.value());
            }
        }
        return rows;
    }

    private static List<String> first(Map<Bytes, Bytes> rows, int limit) {
        return rows.entrySet().stream()
                .limit(limit)
                .map(row -> row.getKey() + "=" + row.getValue())
                .toList();
    }

    private static Bytes key(Random random) {
        return Bytes.utf8("k" + (100 + random.nextInt(60)));
    }

    @Test
    void tellsOfASuccessfulCommitOnce() {
        WriteSet work = new WriteSet(store);
        List<String> heard = new ArrayList<>();
        work.put(table, RowKey.whole(Bytes.utf8("a")), Bytes.EMPTY);
        work.afterCommit(() -> heard.add("committed"));
        long unit = work.unit();
        work.commit();
        work.commit();
        assertThat(heard).containsExactly("committed");
        assertThat(work.unit()).isNotEqualTo(unit);
    }

    @Test
    void tellsNothingWhenTheCommitFailsOrTheSetIsCleared() {
        WriteSet work = new WriteSet(store);
        List<String> heard = new ArrayList<>();
        work.afterCommit(() -> heard.add("cleared"));
        work.clear();
        work.put(table, RowKey.whole(Bytes.utf8("a")), Bytes.EMPTY);
        work.afterCommit(() -> heard.add("failed"));
        store.close();
        assertThatThrownBy(work::commit).isInstanceOf(StoreException.class);
        assertThat(heard).isEmpty();
    }
}
