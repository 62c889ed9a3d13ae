package io.polytable.redis.model.list;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.Progress;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.upkeep.RedisIntegrity;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListsTest {
    private static final List<Bytes> KEYS = List.of(Bytes.utf8("a"), Bytes.utf8("b"), Bytes.utf8("c"));
    private static final Bytes KEY = KEYS.get(0);

    private final MemoryStore store = new MemoryStore();
    private final Lists lists = new Lists();

    /** A seeded history, each step on the model and on array lists; every few steps the tables are opened again. */
    @ParameterizedTest
    @CsvSource({"1, 0, 4", "4, 16, 60", "5, 0, 400"})
    void answersAsTheOracleDoes(long seed, int shards, int pushedMax) {
        play(seed, shards, pushedMax);
    }

    @ParameterizedTest
    @CsvSource({"2, 16, 4", "3, 0, 60", "6, 16, 400", "7, 0, 400"})
    @Tag("peers")
    void answersAsTheOracleDoesForLong(long seed, int shards, int pushedMax) {
        play(seed, shards, pushedMax);
    }

    private void play(long seed, int shards, int pushedMax) {
        Random random = new Random(seed);
        List<List<Bytes>> oracle = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        UnitOfWork unit = open(shards).newUnit();
        for (int step = 0; step < 1200; step++) {
            if (step % 300 == 0) {
                assertThat(RedisIntegrity.verify(open(shards), Progress.NONE).findings())
                        .as("seed %d, before step %d", seed, step)
                        .isEmpty();
                unit = open(shards).newUnit();
            }
            unit.begin(1000, true);
            String what = "seed " + seed + ", step " + step;
            step(random, unit.space(0), oracle, pushedMax, what);
            if (random.nextInt(4) == 0) {
                step(random, unit.space(0), oracle, pushedMax, what + ", second of its unit");
            }
            unit.commit();
            assertHolds(random, unit, oracle, what);
        }
        assertThat(RedisIntegrity.verify(open(shards), Progress.NONE).findings())
                .isEmpty();
    }

    private Keyspace open(int shards) {
        return shards == 0 ? Keyspace.open(store) : Keyspace.openSharded(store, shards);
    }

    private void step(Random random, Space space, List<List<Bytes>> oracle, int pushedMax, String what) {
        int at = random.nextInt(3);
        Bytes key = KEYS.get(at);
        List<Bytes> expected = oracle.get(at);
        switch (random.nextInt(12)) {
            case 0, 1 -> {
                ListEnd end = end(random);
                List<Bytes> values = values(random, random.nextInt(pushedMax));
                values.forEach(value -> expected.add(end == ListEnd.LEFT ? 0 : expected.size(), value));
                assertThat(lists.push(space, key, end, values)).as(what).isEqualTo(expected.size());
            }
            case 2, 3 -> pop(random, space, key, expected, what);
            case 4 -> {
                int otherAt = random.nextInt(3);
                ListEnd from = end(random);
                ListEnd to = end(random);
                Optional<Bytes> moved = expected.isEmpty()
                        ? Optional.empty()
                        : Optional.of(expected.remove(from == ListEnd.LEFT ? 0 : expected.size() - 1));
                List<Bytes> target = oracle.get(otherAt);
                moved.ifPresent(value -> target.add(to == ListEnd.LEFT ? 0 : target.size(), value));
                assertThat(lists.move(space, key, from, KEYS.get(otherAt), to))
                        .as(what)
                        .isEqualTo(moved);
            }
            case 5, 6 -> remove(random, space, key, expected, what);
            case 7, 8, 9 -> insert(random, space, key, expected, what);
            case 10 -> {
                if (!expected.isEmpty()) {
                    int index = random.nextInt(expected.size());
                    Bytes value = values(random, 0).get(0);
                    lists.set(space, key, random.nextBoolean() ? index : index - expected.size(), value);
                    expected.set(index, value);
                }
            }
            default -> trim(random, space, key, expected);
        }
    }

    private void pop(Random random, Space space, Bytes key, List<Bytes> expected, String what) {
        ListEnd end = end(random);
        int count = random.nextInt(3) == 0 ? random.nextInt(expected.size() + 2) : 1;
        List<Bytes> taken = new ArrayList<>();
        boolean was = !expected.isEmpty();
        while (taken.size() < count && !expected.isEmpty()) {
            taken.add(expected.remove(end == ListEnd.LEFT ? 0 : expected.size() - 1));
        }
        assertThat(lists.pop(space, key, end, count)).as(what).isEqualTo(was ? Optional.of(taken) : Optional.empty());
    }

    private void remove(Random random, Space space, Bytes key, List<Bytes> expected, String what) {
        Bytes value = values(random, 0).get(0);
        int count = random.nextInt(7) - 3;
        long removed = 0;
        if (count < 0) {
            Collections.reverse(expected);
        }
        while ((count == 0 || removed < Math.abs(count)) && expected.remove(value)) {
            removed++;
        }
        if (count < 0) {
            Collections.reverse(expected);
        }
        assertThat(lists.remove(space, key, count, value)).as(what).isEqualTo(removed);
    }

    private void insert(Random random, Space space, Bytes key, List<Bytes> expected, String what) {
        Bytes pivot = values(random, 0).get(0);
        Bytes value = values(random, 0).get(0);
        boolean before = random.nextBoolean();
        int found = expected.indexOf(pivot);
        long answer = expected.isEmpty() ? 0 : -1;
        if (found >= 0) {
            expected.add(before ? found : found + 1, value);
            answer = expected.size();
        }
        assertThat(lists.insert(space, key, before, pivot, value)).as(what).isEqualTo(answer);
    }

    private void trim(Random random, Space space, Bytes key, List<Bytes> expected) {
        if (random.nextInt(4) == 0 && !expected.isEmpty()) {
            int from = random.nextInt(expected.size());
            int to = from + random.nextInt(expected.size() - from) + 1;
            lists.trim(space, key, from, to - 1L - expected.size());
            List<Bytes> kept = List.copyOf(expected.subList(from, to));
            expected.clear();
            expected.addAll(kept);
        } else {
            lists.trim(space, key, 1, -2);
            if (!expected.isEmpty()) {
                expected.remove(0);
            }
            if (!expected.isEmpty()) {
                expected.remove(expected.size() - 1);
            }
        }
    }

    private static ListEnd end(Random random) {
        return random.nextBoolean() ? ListEnd.LEFT : ListEnd.RIGHT;
    }

    private static List<Bytes> values(Random random, int more) {
        List<Bytes> values = new ArrayList<>();
        for (int i = more; i >= 0; i--) {
            values.add(Bytes.utf8("v" + random.nextInt(30)));
        }
        return values;
    }

    private void assertHolds(Random random, UnitOfWork unit, List<List<Bytes>> oracle, String what) {
        unit.begin(1000, false);
        Space space = unit.space(0);
        for (int i = 0; i < KEYS.size(); i++) {
            Bytes key = KEYS.get(i);
            List<Bytes> expected = oracle.get(i);
            int size = expected.size();
            assertThat(lists.range(space, key, 0, -1)).as(what).isEqualTo(expected);
            assertThat(lists.size(space, key)).as(what).isEqualTo(size);
            assertThat(space.header(key).isPresent()).as(what).isEqualTo(size > 0);
            int index = random.nextInt(size + 1);
            Optional<Bytes> there = index < size ? Optional.of(expected.get(index)) : Optional.empty();
            assertThat(lists.get(space, key, index)).as(what).isEqualTo(there);
            assertThat(lists.range(space, key, index, index + 9L))
                    .as(what)
                    .isEqualTo(expected.subList(index, Math.min(size, index + 10)));
            Bytes value = values(random, 0).get(0);
            List<Long> positions = lists.positions(space, key, value, new Lists.Search(-1, 1, 0));
            int last = expected.lastIndexOf(value);
            assertThat(positions).as(what).isEqualTo(last < 0 ? List.of() : List.of((long) last));
        }
    }

    /** Whoever inserts between the last two that came, each time, makes places as long as they get. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void bisectionSpreadsThePlacesAnew(boolean alternating) {
        UnitOfWork unit = open(0).newUnit();
        List<Bytes> expected = new ArrayList<>(List.of(Bytes.utf8("left"), Bytes.utf8("right")));
        write(unit, space -> lists.push(space, KEY, ListEnd.RIGHT, List.copyOf(expected)));
        Bytes pivot = Bytes.utf8("left");
        boolean before = false;
        for (int i = 0; i < 2000; i++) {
            Bytes value = Bytes.utf8("n" + i);
            expected.add(expected.indexOf(pivot) + (before ? 0 : 1), value);
            Bytes near = pivot;
            boolean side = before;
            write(unit, space -> lists.insert(space, KEY, side, near, value));
            pivot = value;
            before = alternating && !before;
        }
        unit.begin(0, false);
        assertThat(lists.range(unit.space(0), KEY, 0, -1)).isEqualTo(expected);
        assertThat(RedisIntegrity.verify(open(0), Progress.NONE).findings()).isEmpty();
    }

    @Test
    void aListThatIsOnlyPushedPoppedAndTrimmedStaysDense() {
        UnitOfWork unit = open(0).newUnit();
        write(unit, space -> lists.push(space, KEY, ListEnd.RIGHT, values(new Random(1), 999)));
        write(unit, space -> lists.push(space, KEY, ListEnd.LEFT, values(new Random(2), 9)));
        write(unit, space -> lists.pop(space, KEY, ListEnd.LEFT, 30));
        write(unit, space -> {
            lists.trim(space, KEY, 200, -200);
            return 0;
        });
        write(unit, space -> lists.move(space, KEY, ListEnd.RIGHT, KEY, ListEnd.LEFT));
        Bytes first = read(unit, space -> lists.get(space, KEY, 0).orElseThrow());
        write(unit, space -> lists.remove(space, KEY, 1, first));
        assertThat(shape(unit)).isInstanceOf(ListShape.Dense.class);
        Bytes middle = Bytes.utf8("middle");
        write(unit, space -> {
            lists.set(space, KEY, 300, middle);
            return 0;
        });
        write(unit, space -> lists.remove(space, KEY, 1, middle));
        assertThat(shape(unit))
                .isInstanceOfSatisfying(
                        ListShape.Sparse.class,
                        sparse -> assertThat(sparse.levels()).isEqualTo(1));
        assertThat(RedisIntegrity.verify(open(0), Progress.NONE).findings()).isEmpty();
    }

    private ListShape shape(UnitOfWork unit) {
        return ListShape.of(
                (CollectionHeader) read(unit, space -> space.header(KEY).orElseThrow()));
    }

    private interface Step<T> {
        T on(Space space);
    }

    private static void write(UnitOfWork unit, Step<?> step) {
        unit.begin(0, true);
        Object unused = step.on(unit.space(0));
        unit.commit();
    }

    private static <T> T read(UnitOfWork unit, Step<T> step) {
        unit.begin(0, false);
        return step.on(unit.space(0));
    }
}
