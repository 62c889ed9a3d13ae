package io.polytable.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.log.RecordBatchFormat;
import io.polytable.store.memory.RowMemory.Known;
import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import io.polytable.table.write.EncodedRow;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowMemoryTest {
    private static final int TABLE = 3;
    private static final Table TABLE_HANDLE = TestTable.numbered(TABLE);

    private final RowMemory memory = new RowMemory(64 << 20);
    private long position;

    /** Records that fill little more than half of a chunk leave the rest of it empty, and it is on the heap all the same. */
    @Test
    void whatIsFreshCountsTheRestOfItsChunks() {
        Bytes value = Bytes.of(new byte[(1 << 19) + (1 << 16)]);
        for (int i = 0; i < 40; i++) {
            commit(new Batch().put(TABLE_HANDLE, RowKey.whole(Bytes.utf8("k" + i)), value));
            memory.seal();
        }
        assertThat(memory.freshBytes()).isGreaterThan(36L << 20);
    }

    /** The log's own bytes around a small record may be more than its row. */
    @Test
    void whatIsFreshCountsWhatTheLogWants() {
        for (int i = 0; i < 100_000; i++) {
            commit(new Batch().put(TABLE_HANDLE, RowKey.whole(number(i)), Bytes.EMPTY));
            assertThat(memory.takeBatches()).hasSize(1);
        }
        assertThat(memory.freshBytes())
                .isGreaterThan(100_000L * (RecordBatchFormat.HEADER_BYTES + RecordBatchFormat.RECORD_HEADER_BYTES));
    }

    /** Ids of tables are never used twice. */
    @Test
    void aTableOfAHighNumberCostsNoMoreThanAnother() {
        Table far = TestTable.numbered(500_000_000);
        commit(new Batch().put(far, RowKey.whole(number(1)), Bytes.utf8("v")));
        commit(new Batch().deleteRange(far, KeyRange.between(number(0), number(5))));
        commit(new Batch().deleteRange(TABLE_HANDLE, KeyRange.between(number(7), number(9))));
        commit(new Batch().deleteRange(TestTable.numbered(1), KeyRange.ALL));
        assertThat(memory.find(far.id(), number(1)).known()).isEqualTo(Known.ABSENT);
        assertThat(memory.find(far.id(), number(6)).known()).isEqualTo(Known.NOTHING);
        assertThat(known(number(8))).isEqualTo(Known.ABSENT);
        assertThat(memory.find(2, number(8)).known()).isEqualTo(Known.NOTHING);
        assertThat(memory.find(1, number(8)).known()).isEqualTo(Known.ABSENT);
    }

    @Test
    void remembersThatTheStateHasNoSuchRow() {
        Bytes key = Bytes.utf8("absent");
        assertThat(known(key)).isEqualTo(Known.NOTHING);
        assertThat(memory.fill(memory.fillStamp(), TABLE_HANDLE, key, Optional.empty()))
                .isTrue();
        assertThat(known(key)).isEqualTo(Known.ABSENT);
        commit(new Batch().put(TABLE_HANDLE, RowKey.whole(key), Bytes.utf8("here")));
        assertThat(known(key)).isEqualTo(Known.PRESENT);
    }

    @Test
    void forgetsAnAnswerThatARangeDeleteMadeStale() {
        Bytes key = Bytes.utf8("b");
        long stamp = memory.fillStamp();
        commit(new Batch().deleteRange(TABLE_HANDLE, KeyRange.between(Bytes.utf8("a"), Bytes.utf8("c"))));
        assertThat(memory.fill(stamp, TABLE_HANDLE, key, Optional.of(Bytes.utf8("old"))))
                .isFalse();
        assertThat(known(key)).isEqualTo(Known.ABSENT);
    }

    @Test
    void aCommitIsNotHiddenByAnOlderAnswerOfTheState() {
        Bytes key = Bytes.utf8("k");
        long stamp = memory.fillStamp();
        commit(new Batch().put(TABLE_HANDLE, RowKey.whole(key), Bytes.utf8("new")));
        assertThat(memory.fill(stamp, TABLE_HANDLE, key, Optional.empty())).isTrue();
        assertThat(memory.find(TABLE, key).value()).isEqualTo(Bytes.utf8("new"));
    }

    /** Keys that differ early, late, or by their length only, so that every way of sorting is taken. */
    @ParameterizedTest
    @ValueSource(ints = {3, 11, 40, 5000})
    void aSealedGenerationShowsTheNewestOfEachKeyInOrder(int rows) {
        for (long seed = 1; seed <= 5; seed++) {
            Random random = new Random(seed);
            // Leftovers of the generation before, in the same chunk, must not be mistaken for rows of this one.
            write(random, rows);
            memory.seal();
            NavigableMap<Bytes, Bytes> expected = write(random, rows);
            memory.seal();
            assertThat(newestSealed()).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @Test
    void knowsThatAKeyOfATableThatWasEmptyIsAbsent() {
        memory.markWhole(TABLE);
        assertThat(known(Bytes.utf8("never"))).isEqualTo(Known.ABSENT);
        put(0, "v");
        assertThat(known(number(0))).isEqualTo(Known.PRESENT);
        commit(new Batch().delete(TABLE_HANDLE, RowKey.whole(number(0))));
        assertThat(known(number(0))).isEqualTo(Known.ABSENT);
    }

    @Test
    void asksTheStateAgainOnceARowHadToGo() {
        RowMemory small = new RowMemory(4 << 20);
        small.markWhole(TABLE);
        String value = "v".repeat(10_000);
        for (int i = 0; i < 1000; i++) {
            small.append(new Batch().put(TABLE_HANDLE, RowKey.whole(number(i)), Bytes.utf8(value)), i + 1, 0);
        }
        apply(small);
        assertThat(small.find(TABLE, number(0)).known()).isEqualTo(Known.NOTHING);
        assertThat(small.find(TABLE, Bytes.utf8("never")).known()).isEqualTo(Known.NOTHING);
        assertThat(small.find(TABLE, number(999)).known()).isEqualTo(Known.PRESENT);
        assertThat(small.bytes()).isLessThan(6 << 20);
    }

    /** What is in the state goes before a large record comes, not after: both at once may be more than the heap has. */
    @Test
    void aLargeRecordFindsRoomBeforeItIsLaidOut() {
        RowMemory small = new RowMemory(8 << 20);
        for (int i = 0; i < 70; i++) {
            small.append(new Batch().put(TABLE_HANDLE, RowKey.whole(number(i)), Bytes.of(new byte[100_000])), i + 1, 0);
        }
        apply(small);
        assertThat(small.bytes()).isGreaterThan(6 << 20);
        small.append(new Batch().put(TABLE_HANDLE, RowKey.whole(number(70)), Bytes.of(new byte[5 << 20])), 71, 0);
        assertThat(small.bytes()).isLessThan(9 << 20);
        assertThat(small.find(TABLE, number(70)).value().length()).isEqualTo(5 << 20);
        assertThat(small.find(TABLE, number(0)).known()).isEqualTo(Known.NOTHING);
    }

    /** A hundred keys stay as they are while others change all the time: none is lost, and memory does not grow. */
    @Test
    void keepsWhatIsAliveAndLetsGoOfWhatIsNot() {
        memory.markWhole(TABLE);
        for (int i = 0; i < 100; i++) {
            put(i, "old");
        }
        String filler = "x".repeat(5_000);
        for (int round = 0; round < 60; round++) {
            for (int i = 100; i < 400; i++) {
                put(i, round + filler);
            }
            commit(new Batch().delete(TABLE_HANDLE, RowKey.whole(number(100 + round))));
            apply(memory);
        }
        for (int i = 0; i < 400; i++) {
            boolean deleted = i == 159;
            RowMemory.Found found = memory.find(TABLE, number(i));
            assertThat(found.known()).as("row %d", i).isEqualTo(deleted ? Known.ABSENT : Known.PRESENT);
            assertThat(found.value()).isEqualTo(Bytes.utf8(deleted ? "" : i < 100 ? "old" : 59 + filler));
        }
        assertThat(memory.bytes()).isLessThan(16 << 20);
    }

    @Test
    void aRowThatARangeDeleteTookDoesNotComeBackWhenOthersMove() {
        memory.markWhole(TABLE);
        put(1, "gone");
        put(2, "stays");
        apply(memory);
        commit(new Batch().deleteRange(TABLE_HANDLE, KeyRange.between(number(1), number(2))));
        String filler = "x".repeat(100_000);
        for (int i = 0; i < 100; i++) {
            put(3, i + filler);
        }
        apply(memory);
        assertThat(memory.bytes()).isLessThan(5 << 20);
        assertThat(known(number(1))).isEqualTo(Known.ABSENT);
        assertThat(memory.find(TABLE, number(2)).value()).isEqualTo(Bytes.utf8("stays"));
    }

    /** Who read the row from the state while the delete was on its way there must not bring it back. */
    @Test
    void forgetsAnAnswerFromBeforeARangeDeleteReachedTheState() {
        put(1, "gone");
        apply(memory);
        commit(new Batch().deleteRange(TABLE_HANDLE, KeyRange.between(number(1), number(2))));
        long stamp = memory.fillStamp();
        memory.seal();
        memory.applied(memory.oldestSealed().orElseThrow());
        assertThat(memory.fill(stamp, TABLE_HANDLE, number(1), Optional.of(Bytes.utf8("gone"))))
                .isFalse();
    }

    /** More range deletes than are kept: rows move so that the tombstones can go, and none of the living is lost. */
    @Test
    void manyRangeDeletesDoNotCostTheOtherRows() {
        memory.markWhole(TABLE);
        for (int i = 0; i < 1000; i++) {
            put(i, "v");
        }
        for (int i = 0; i < 1000; i += 2) {
            commit(new Batch().deleteRange(TABLE_HANDLE, KeyRange.between(number(i), number(i + 1))));
        }
        apply(memory);
        apply(memory);
        for (int i = 0; i < 1000; i++) {
            assertThat(known(number(i))).isEqualTo(i % 2 == 0 ? Known.ABSENT : Known.PRESENT);
        }
    }

    /** What writers wait for must not look used up while memory releases what nobody looks at. */
    @Test
    void aChunkThatGoesIsNeverCountedAsOneThatIsStillLookedAt() throws Exception {
        RowMemory small = new RowMemory(2 << 20);
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService watcher = Executors.newSingleThreadExecutor();
        try {
            Future<Long> most = watcher.submit(() -> {
                long seen = 0;
                while (!done.get()) {
                    seen = Math.max(seen, small.pinnedBytes());
                }
                return seen;
            });
            Bytes value = Bytes.of(new byte[50_000]);
            for (int i = 0; i < 10_000; i++) {
                small.append(new Batch().put(TABLE_HANDLE, RowKey.whole(number(i)), value), i + 1, 0);
                if (i % 20 == 0) {
                    apply(small);
                }
            }
            done.set(true);
            assertThat(most.get(30, TimeUnit.SECONDS)).isZero();
        } finally {
            done.set(true);
            watcher.shutdownNow();
        }
    }

    /** Counts how often a row gets a place: by a commit, or because it moves. */
    private static final class CountingIndex extends RowIndex {
        private final AtomicLong puts;

        CountingIndex(Arena arena, long budgetBytes, AtomicLong puts) {
            super(arena, budgetBytes);
            this.puts = puts;
        }

        @Override
        long put(long hash, long place, EncodedRow row) {
            puts.incrementAndGet();
            return super.put(hash, place, row);
        }
    }

    /** A few hundred range deletes in each generation, as a queue or a sweeper makes them, beside many rows that stay. */
    @Test
    void rangeDeletesDoNotMoveAllOtherRowsForEachGeneration() {
        AtomicLong puts = new AtomicLong();
        RowMemory rows =
                new RowMemory(64 << 20, Addresses.DEFAULT, (arena, budget) -> new CountingIndex(arena, budget, puts));
        int staying = 20_000;
        long at = 0;
        for (int i = 0; i < staying; i++) {
            rows.append(new Batch().put(TABLE_HANDLE, RowKey.whole(number(i)), Bytes.utf8("v")), ++at, 0);
        }
        for (int generation = 0; generation < 20; generation++) {
            for (int i = 0; i < 300; i++) {
                int from = 100_000 + generation * 1000 + i;
                KeyRange range = KeyRange.between(number(from), number(from + 1));
                rows.append(new Batch().deleteRange(TABLE_HANDLE, range), ++at, 0);
            }
            apply(rows);
        }
        assertThat(puts.get()).as("commits and moves").isLessThan(3L * staying);
        assertThat(rows.rows()).isEqualTo(staying);
    }

    /** Tombstones that hide nothing any more must not stay forever, and count in the budget while they do. */
    @Test
    void tombstonesGoOnceTheyAreMany() {
        for (int i = 0; i < 20_000; i++) {
            put(i, "v");
        }
        long before = memory.bytes();
        for (int i = 0; i < 20_000; i++) {
            commit(new Batch().deleteRange(TABLE_HANDLE, KeyRange.between(number(i), number(i + 1))));
        }
        assertThat(memory.bytes() - before).isGreaterThan(20_000L * 200);
        apply(memory);
        put(0, "v");
        apply(memory);
        assertThat(memory.rangeDeleteBytes()).isLessThan(1 << 20);
        assertThat(known(number(1))).isNotEqualTo(Known.PRESENT);
    }

    /** Cached rows of a chunk that still grows: those before the delete are hidden, those behind it are not. */
    @Test
    void aRangeDeleteHidesTheCachedRowsBeforeItAndNotThoseBehindIt() {
        fillCache(1, "old");
        fillCache(2, "old");
        commit(new Batch().deleteRange(TABLE_HANDLE, KeyRange.between(number(0), number(2))));
        assertThat(known(number(1))).isEqualTo(Known.ABSENT);
        assertThat(known(number(2))).isEqualTo(Known.PRESENT);
        fillCache(0, "behind");
        assertThat(memory.find(TABLE, number(0)).value()).isEqualTo(Bytes.utf8("behind"));
        apply(memory);
        assertThat(known(number(1))).isNotEqualTo(Known.PRESENT);
        assertThat(memory.find(TABLE, number(0)).value()).isEqualTo(Bytes.utf8("behind"));
    }

    private void fillCache(int number, String value) {
        assertThat(memory.fill(memory.fillStamp(), TABLE_HANDLE, number(number), Optional.of(Bytes.utf8(value))))
                .isTrue();
    }

    /** Readers take no lock: while rows move they must find each, wherever it lies at the moment. */
    @Test
    void aReaderNeverMissesARowThatMoves() throws Exception {
        memory.markWhole(TABLE);
        for (int i = 0; i < 500; i++) {
            put(i, "v0");
        }
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService reader = Executors.newSingleThreadExecutor();
        try {
            Future<Integer> read = reader.submit(() -> {
                int finds = 0;
                while (!done.get()) {
                    Bytes key = number(finds++ % 500);
                    assertThat(memory.find(TABLE, key).known()).isEqualTo(Known.PRESENT);
                }
                return finds;
            });
            String filler = "x".repeat(20_000);
            for (int round = 0; round < 100; round++) {
                for (int i = 0; i < 50; i++) {
                    put(round % 10 * 50 + i, filler);
                }
                apply(memory);
            }
            done.set(true);
            assertThat(read.get(30, TimeUnit.SECONDS)).isPositive();
        } finally {
            done.set(true);
            reader.shutdownNow();
        }
    }

    private void put(int number, String value) {
        commit(new Batch().put(TABLE_HANDLE, RowKey.whole(number(number)), Bytes.utf8(value)));
    }

    private static Bytes number(int number) {
        return Bytes.utf8(String.format(Locale.ROOT, "%06d", number));
    }

    private static void apply(RowMemory rows) {
        assertThat(rows.takeBatches()).isNotNull();
        rows.seal();
        while (rows.oldestSealed().isPresent()) {
            rows.applied(rows.oldestSealed().get());
        }
        boolean more = true;
        while (more) {
            more = rows.trim();
        }
    }

    private NavigableMap<Bytes, Bytes> write(Random random, int rows) {
        NavigableMap<Bytes, Bytes> newest = new TreeMap<>();
        for (int i = 0; i < rows; i++) {
            Bytes key = key(random);
            Bytes value = Bytes.utf8("v" + i);
            newest.put(key, value);
            commit(new Batch().put(TABLE_HANDLE, RowKey.whole(key), value));
        }
        return newest;
    }

    private static Bytes key(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> Bytes.utf8("common-prefix-" + random.nextInt(50));
            case 1 -> Bytes.of(new byte[random.nextInt(20)]);
            default -> Bytes.utf8(Integer.toString(random.nextInt(1000), Character.MAX_RADIX));
        };
    }

    private NavigableMap<Bytes, Bytes> newestSealed() {
        NavigableMap<Bytes, Bytes> found = new TreeMap<>();
        while (memory.sealedCount() > 1) {
            memory.applied(memory.oldestSealed().orElseThrow());
        }
        Generation generation = memory.oldestSealed().orElseThrow();
        generation.forEachStep(step -> step.forEach(TABLE, row -> add(found, row)));
        return found;
    }

    private static void add(NavigableMap<Bytes, Bytes> found, EncodedRow row) {
        assertThat(found.isEmpty() || found.lastKey().compareTo(row.key()) < 0).isTrue();
        found.put(row.key().copy(), row.value().copy());
    }

    private Known known(Bytes key) {
        return memory.find(TABLE, key).known();
    }

    private void commit(Batch batch) {
        memory.append(batch, ++position, 0);
    }
}
