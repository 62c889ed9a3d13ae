package io.polytable.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.polytable.store.merge.MergeCursor;
import io.polytable.store.merge.Source;
import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Older snapshots, read from sorted runs that later scans share. */
class MemorySnapshotTest {
    private static final Table TABLE = TestTable.numbered(3);
    private static final int KEYS = 60;

    private final RowMemory memory = new RowMemory(256 << 20);
    private long position;

    /** A state without rows. */
    private static final class Nothing implements Source {
        @Override
        public boolean next() {
            return false;
        }

        @Override
        public boolean seek(Bytes key) {
            return false;
        }

        @Override
        public Bytes key() {
            return Bytes.EMPTY;
        }

        @Override
        public ByteSlice keySlice() {
            return new ByteSlice();
        }

        @Override
        public boolean isDelete() {
            return false;
        }

        @Override
        public Bytes value() {
            return Bytes.EMPTY;
        }

        @Override
        public ByteSlice valueSlice() {
            return new ByteSlice();
        }

        @Override
        public void close() {}
    }

    /** A snapshot, and the rows it must show. */
    private record Taken(MemorySnapshot snapshot, NavigableMap<Bytes, Bytes> rows) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void eachShowsTheRowsAsTheyWere(long seed) {
        Random random = new Random(seed);
        NavigableMap<Bytes, Bytes> rows = new TreeMap<>();
        List<Taken> open = new ArrayList<>();
        for (int step = 0; step < 600; step++) {
            change(random, rows);
            if (random.nextInt(20) == 0) {
                open.add(new Taken(memory.snapshot(), new TreeMap<>(rows)));
            }
            if (random.nextInt(10) == 0 && !open.isEmpty()) {
                verify(open.get(random.nextInt(open.size())), random, "seed " + seed + ", step " + step);
            }
            if (random.nextInt(60) == 0 && !open.isEmpty()) {
                open.remove(random.nextInt(open.size())).snapshot().close();
            }
            if (random.nextInt(150) == 0) {
                memory.seal();
            }
        }
        open.forEach(taken -> verify(taken, random, "seed " + seed + ", at the end"));
    }

    private void change(Random random, NavigableMap<Bytes, Bytes> rows) {
        Batch batch = new Batch();
        Bytes key = key(random.nextInt(KEYS));
        int what = random.nextInt(12);
        if (what == 0) {
            Bytes to = key(random.nextInt(KEYS));
            batch.deleteRange(TABLE, KeyRange.between(key, to));
            rows.keySet().removeIf(KeyRange.between(key, to)::contains);
        } else if (what < 3) {
            batch.delete(TABLE, RowKey.whole(key));
            rows.remove(key);
        } else {
            Bytes value = Bytes.utf8("v" + position);
            batch.put(TABLE, RowKey.whole(key), value);
            rows.put(key, value);
        }
        memory.append(batch, ++position, 0);
    }

    private static void verify(Taken taken, Random random, String where) {
        List<Bytes> forward = new ArrayList<>(taken.rows().keySet());
        assertThat(keys(taken.snapshot(), Direction.FORWARD)).as(where).isEqualTo(forward);
        Collections.reverse(forward);
        assertThat(keys(taken.snapshot(), Direction.REVERSE)).as(where).isEqualTo(forward);
        Bytes target = key(random.nextInt(KEYS));
        for (Direction direction : Direction.values()) {
            Bytes expected = direction == Direction.FORWARD
                    ? taken.rows().ceilingKey(target)
                    : taken.rows().floorKey(target);
            try (MergeCursor cursor = scan(taken.snapshot(), direction)) {
                assertThat(cursor.seek(target)).as(where).isEqualTo(expected != null);
                if (expected != null) {
                    assertThat(cursor.key()).as(where).isEqualTo(expected);
                    assertThat(cursor.value()).as(where).isEqualTo(taken.rows().get(expected));
                }
            }
        }
        RowMemory.Found found = taken.snapshot().find(TABLE.id(), target);
        assertThat(found.known() == RowMemory.Known.PRESENT)
                .as(where)
                .isEqualTo(taken.rows().containsKey(target));
    }

    private static MergeCursor scan(MemorySnapshot snapshot, Direction direction) {
        List<Source> sources = snapshot.over(new Nothing(), TABLE.id(), KeyRange.ALL, direction);
        return new MergeCursor(sources, direction, Long.MAX_VALUE, () -> {});
    }

    private static List<Bytes> keys(MemorySnapshot snapshot, Direction direction) {
        List<Bytes> keys = new ArrayList<>();
        try (MergeCursor cursor = scan(snapshot, direction)) {
            while (cursor.next()) {
                keys.add(cursor.key());
            }
        }
        return keys;
    }

    /** There may be hundreds of snapshots: each of them must not have the rows' order for itself. */
    @Test
    void anOlderSnapshotCopiesNoRunsOfLaterScans() {
        for (int i = 0; i < 100_000; i++) {
            memory.append(new Batch().put(TABLE, RowKey.whole(key(i)), Bytes.utf8("v")), ++position, 0);
        }
        MemorySnapshot earlier = memory.snapshot();
        memory.append(new Batch().put(TABLE, RowKey.whole(key(5)), Bytes.utf8("later")), ++position, 0);
        MemorySnapshot later = memory.snapshot();
        try (MergeCursor cursor = scan(later, Direction.FORWARD)) {
            assertThat(cursor.next()).isTrue();
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        try (MergeCursor cursor = scan(earlier, Direction.FORWARD)) {
            for (int i = 0; i <= 5; i++) {
                assertThat(cursor.next()).isTrue();
            }
            assertThat(cursor.value()).isEqualTo(Bytes.utf8("v"));
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(300_000);
        earlier.close();
        later.close();
    }

    /** Writers wait while a scan is opened: tombstones are not looked through for it, however many of them the state has. */
    @Test
    void aScanIsOpenedAtTheSameCostBesideManyTombstones() {
        memory.append(new Batch().put(TABLE, RowKey.whole(key(0)), Bytes.utf8("v")), ++position, 0);
        deleteRanges(5000);
        memory.seal();
        memory.applied(memory.oldestSealed().orElseThrow());
        deleteRanges(5000);
        PartitionSnapshot first = memory.snapshot(TABLE.id(), key(0));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        PartitionSnapshot second = memory.snapshot(TABLE.id(), key(0));
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(20_000);
        first.close();
        second.close();
    }

    private void deleteRanges(int count) {
        for (int i = 0; i < count; i++) {
            KeyRange range = KeyRange.between(key(2 * i), key(2 * i + 1));
            memory.append(new Batch().deleteRange(TABLE, range), ++position, 0);
        }
    }

    private static Bytes key(int number) {
        return Bytes.utf8(String.format(Locale.ROOT, "%06d", number));
    }
}
