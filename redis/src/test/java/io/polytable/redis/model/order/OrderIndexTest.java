package io.polytable.redis.model.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.limit.Budget;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.WriteSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The order index against a sorted tree of places, through growing, shrinking, failing commits and cold starts. */
class OrderIndexTest {
    private static final long ID = 0x0102030405060708L;

    private final MemoryStore store = new MemoryStore();
    private final Table table = RedisTables.open(store).elements(0);
    private final WriteSet work = new WriteSet(store);
    private FenceLimits limits = FenceLimits.STANDARD;
    private FenceCache cache = new FenceCache(Budget.of("fences", 1 << 20));
    private OrderIndex.Shape shape = new OrderIndex.Shape(Ordering.SCORES, ID, 0, 0);

    private final List<Bytes> places = new ArrayList<>();
    private final TreeSet<Bytes> oracle = new TreeSet<>();

    private OrderIndex open() {
        return new OrderIndex(work, table, cache, shape);
    }

    private void commit(OrderIndex index) {
        index.write();
        shape = new OrderIndex.Shape(Ordering.SCORES, ID, index.size(), index.levels());
        work.commit();
    }

    private List<String> faults() {
        List<String> faults = new ArrayList<>();
        new FenceCheck(store, table, shape, limits, faults::add).run();
        return faults;
    }

    private void add(OrderIndex index, Bytes place) {
        if (oracle.add(place)) {
            places.add(place);
            index.insert(place, Bytes.EMPTY);
        }
    }

    private void removeAt(OrderIndex index, int at) {
        Bytes place = places.get(at);
        places.set(at, places.get(places.size() - 1));
        places.remove(places.size() - 1);
        oracle.remove(place);
        index.remove(place);
    }

    private static Bytes place(Random random, int scores) {
        return SortKeys.of(random.nextInt(scores) - scores / 2, Bytes.utf8("m" + random.nextInt(1_000_000)));
    }

    @ParameterizedTest
    @CsvSource({"1, 1000000, 128", "2, 5, 128", "3, 1, 8", "4, 100, 12", "5, 1000, 20"})
    void growsAndShrinksWithRightCounts(long seed, int scores, int most) {
        growAndShrink(seed, scores, most, 129, 60, 0, 2_000, 300, most == 128 ? 9_000 : 3_000, 0);
    }

    @ParameterizedTest
    @CsvSource({"6, 1000000, 128", "7, 5, 128", "8, 1, 8", "9, 100, 12", "10, 1000, 20"})
    @Tag("peers")
    void growsAndShrinksWithRightCountsForLong(long seed, int scores, int most) {
        growAndShrink(seed, scores, most, 129, 60, 0, 5_000, 300, most == 128 ? 20_000 : 8_000, 0);
    }

    private void growAndShrink(long seed, int scores, int most, int... targets) {
        Random random = new Random(seed);
        limits = new FenceLimits(most);
        cache = new FenceCache(Budget.of("fences", 1 << 20), limits);
        for (int target : targets) {
            while (oracle.size() != target) {
                OrderIndex index = open();
                boolean grow = oracle.size() < target;
                for (int i = random.nextInt(300); i >= 0 && oracle.size() != target; i--) {
                    if (grow) {
                        add(index, place(random, scores));
                    } else {
                        removeAt(index, random.nextInt(places.size()));
                    }
                }
                commit(index);
                if (random.nextInt(20) == 0) {
                    compare(random, "seed " + seed + ", size " + oracle.size());
                }
            }
            compare(random, "seed " + seed + ", size " + oracle.size());
            assertThat(faults()).as("seed %d, size %d", seed, target).isEmpty();
            if (random.nextBoolean()) {
                cache = new FenceCache(Budget.of("fences", 1 << 20), limits);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void answersAsTheOracleDoesWithOneChangeACommit(long seed) {
        changeOneByOne(seed, 2_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {7, 8, 9, 10, 11, 12})
    @Tag("peers")
    void answersAsTheOracleDoesWithOneChangeACommitForLong(long seed) {
        changeOneByOne(seed, 6_000);
    }

    private void changeOneByOne(long seed, int changes) {
        Random random = new Random(seed);
        // A cache too small for the fences of this set, a middling one, and one that holds all.
        limits = seed > 3 ? new FenceLimits(8) : FenceLimits.STANDARD;
        cache = new FenceCache(
                Budget.of("fences", List.of(400L, 8_000L, 1L << 20).get((int) (seed % 3))), limits);
        int wanted = 0;
        for (int step = 0; step < changes; step++) {
            if (step % (changes / 4) == 0) {
                wanted = random.nextInt(1500);
            }
            OrderIndex index = open();
            boolean grow = oracle.size() < wanted ? random.nextInt(4) > 0 : random.nextInt(4) == 0;
            if (grow || places.isEmpty()) {
                add(index, place(random, 50));
            } else {
                removeAt(index, random.nextInt(places.size()));
            }
            commit(index);
            if (step % 100 == 0) {
                compare(random, "seed " + seed + ", step " + step);
                assertThat(faults()).as("seed %d, step %d", seed, step).isEmpty();
            }
        }
    }

    /** Elements taken from one end and added at the other, as queues and time windows do. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aQueueKeepsItsCounts(boolean upwards) {
        Random random = new Random(7);
        for (int i = 0; i < 4_000; i++) {
            OrderIndex index = open();
            add(index, SortKeys.of(upwards ? i : -i, Bytes.utf8("job")));
            if (i > 1_000) {
                Bytes oldest = upwards ? oracle.first() : oracle.last();
                try (ElementCursor cursor = index.from(upwards ? 0 : index.size() - 1, direction(upwards), 1)) {
                    assertThat(cursor.next()).isTrue();
                    assertThat(cursor.place()).isEqualTo(oldest);
                }
                removeAt(index, places.indexOf(oldest));
            }
            commit(index);
        }
        compare(random, "queue " + upwards);
        assertThat(faults()).isEmpty();
    }

    /** The tombstones of popped elements lie at the end they were popped from: a scan over them all would grow with each pop. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noScanGoesOverWhatWasPoppedLongAgo(boolean upwards) {
        OrderIndex filled = open();
        for (int i = 0; i < 4_000; i++) {
            add(filled, SortKeys.of(i, Bytes.utf8("job")));
        }
        commit(filled);
        cache = new FenceCache(Budget.of("fences", 1 << 20));
        List<KeyRange> scans = new ArrayList<>();
        WriteSet watched = new WriteSet(store, new ScanRecorder(store, scans));
        OrderRows rows = new OrderRows(table, ID, Ordering.SCORES);
        for (int popped = 0; popped < 3_000; popped++) {
            OrderIndex index = new OrderIndex(watched, table, cache, shape);
            Bytes outermost = upwards ? oracle.pollFirst() : oracle.pollLast();
            try (ElementCursor cursor = index.from(upwards ? 0 : index.size() - 1, direction(upwards), 1)) {
                assertThat(cursor.next()).isTrue();
                assertThat(cursor.place()).isEqualTo(outermost);
            }
            index.remove(outermost);
            index.write();
            shape = new OrderIndex.Shape(Ordering.SCORES, ID, index.size(), index.levels());
            watched.commit();
            int longAgo = popped - 2 * FenceLimits.STANDARD.most();
            if (longAgo > 0) {
                Bytes gone = rows.key(SortKeys.of(upwards ? longAgo : 3_999 - longAgo, Bytes.utf8("job")))
                        .bytes();
                assertThat(scans)
                        .noneMatch(range -> rows.range(SortKeys.START, SortKeys.END)
                                        .partition()
                                        .equals(range.partition())
                                && (upwards
                                        ? range.from().compareTo(gone) < 0
                                        : range.to().isEmpty() || range.to().compareTo(gone) > 0));
            }
            scans.clear();
        }
    }

    /** Reads the store, and tells which ranges were scanned. */
    private record ScanRecorder(MemoryStore store, List<KeyRange> scans) implements Reader {
        @Override
        public Optional<Bytes> read(Table table, RowKey key) {
            return store.read(table, key);
        }

        @Override
        public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
            scans.add(range);
            return store.scan(table, range, direction, limit);
        }
    }

    private static Direction direction(boolean upwards) {
        return upwards ? Direction.FORWARD : Direction.REVERSE;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void forgetsWhatWasNotCommitted(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < 3_000; step++) {
            OrderIndex index = open();
            if (random.nextInt(10) == 0) {
                index.insert(place(random, 10_000), Bytes.EMPTY);
                if (!oracle.isEmpty()) {
                    index.rank(oracle.first());
                }
                index.write();
                work.clear();
            } else {
                add(index, place(random, 1000));
                commit(index);
            }
        }
        compare(random, "seed " + seed);
        assertThat(faults()).isEmpty();
    }

    @Test
    void seesItsOwnChangesBeforeTheyAreCommitted() {
        Random random = new Random(11);
        for (int round = 0; round < 30; round++) {
            for (int command = 0; command < 5; command++) {
                OrderIndex index = open();
                for (int i = 0; i < 40; i++) {
                    add(index, place(random, 100));
                }
                index.write();
                shape = new OrderIndex.Shape(Ordering.SCORES, ID, index.size(), index.levels());
                compare(random, "round " + round);
            }
            work.commit();
            assertThat(faults()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 128, 129, 191, 192, 255, 256, 4_000, 8_191, 8_192, 8_256, 8_320, 20_000})
    void aPlanWritesTheFencesOfAWholeSet(int size) {
        FencePlan plan = new FencePlan(size, limits);
        OrderRows orders = new OrderRows(table, ID, Ordering.SCORES);
        FenceRows fences = new FenceRows(table, ID, Ordering.SCORES);
        for (int i = 0; i < size; i++) {
            Bytes place = SortKeys.of(i, Bytes.utf8("m"));
            oracle.add(place);
            orders.put(work, place, Bytes.EMPTY);
            plan.pass(work, fences, place);
        }
        work.commit();
        shape = new OrderIndex.Shape(Ordering.SCORES, ID, size, plan.levels());
        assertThat(faults()).as("%s", plan).isEmpty();
        compare(new Random(size), "size " + size);
    }

    private void compare(Random random, String where) {
        List<Bytes> sorted = new ArrayList<>(oracle);
        OrderIndex index = open();
        assertThat(index.size()).as(where).isEqualTo(sorted.size());
        for (int i = 0; i < 20; i++) {
            Bytes one = bound(random, sorted);
            Bytes other = bound(random, sorted);
            assertThat(index.rank(one)).as("%s, rank of %s", where, one).isEqualTo(countBelow(sorted, one));
            assertThat(index.count(one, other))
                    .as("%s, count", where)
                    .isEqualTo(Math.max(0, countBelow(sorted, other) - countBelow(sorted, one)));
            compareWalks(index, random, sorted, where);
        }
    }

    private static Bytes bound(Random random, List<Bytes> sorted) {
        return switch (random.nextInt(4)) {
            case 0 -> place(random, 1000);
            case 1 -> SortKeys.before(random.nextInt(100) - 50);
            case 2 -> SortKeys.behind(random.nextInt(100) - 50);
            default -> sorted.isEmpty() ? SortKeys.before(0) : sorted.get(random.nextInt(sorted.size()));
        };
    }

    private static int countBelow(List<Bytes> sorted, Bytes place) {
        int low = 0;
        int high = sorted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted.get(middle).compareTo(place) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static void compareWalks(OrderIndex index, Random random, List<Bytes> sorted, String where) {
        int limit = random.nextInt(200);
        int rank = random.nextInt(sorted.size() + 1);
        List<Bytes> up = sorted.subList(rank, Math.min(sorted.size(), rank + limit));
        assertThat(walk(index.from(rank, Direction.FORWARD, limit))).as(where).isEqualTo(up);
        if (rank < sorted.size()) {
            List<Bytes> down = new ArrayList<>(sorted.subList(Math.max(0, rank + 1 - limit), rank + 1));
            java.util.Collections.reverse(down);
            assertThat(walk(index.from(rank, Direction.REVERSE, limit)))
                    .as(where)
                    .isEqualTo(down);
        }
        Bytes from = bound(random, sorted);
        Bytes to = random.nextInt(3) == 0 ? SortKeys.END : bound(random, sorted);
        int first = countBelow(sorted, from);
        int end = to.isEmpty() ? sorted.size() : Math.max(first, countBelow(sorted, to));
        assertThat(walk(index.between(from, to, Direction.FORWARD, limit)))
                .as(where)
                .isEqualTo(sorted.subList(first, Math.min(end, first + limit)));
        assertThat(walk(index.between(SortKeys.START, to, Direction.REVERSE, 1)))
                .as(where)
                .isEqualTo(sorted.subList(
                        Math.max(0, (to.isEmpty() ? sorted.size() : countBelow(sorted, to)) - 1),
                        to.isEmpty() ? sorted.size() : countBelow(sorted, to)));
    }

    private static List<Bytes> walk(ElementCursor cursor) {
        List<Bytes> walked = new ArrayList<>();
        try (cursor) {
            while (cursor.next()) {
                walked.add(cursor.place());
            }
        }
        return walked;
    }
}
