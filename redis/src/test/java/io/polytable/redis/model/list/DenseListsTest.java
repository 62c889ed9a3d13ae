package io.polytable.redis.model.list;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists that stay dense, read by ranges between all steps: what is cached of them is never stale. */
class DenseListsTest {
    private static final Bytes KEY = Bytes.utf8("list");

    private final Lists lists = new Lists();
    private final List<Bytes> oracle = new ArrayList<>();
    private int values;

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void rangesShowEveryStep(long seed) {
        play(seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 4, 5, 6})
    @Tag("peers")
    void rangesShowEveryStepForLong(long seed) {
        play(seed);
    }

    private void play(long seed) {
        Random random = new Random(seed);
        UnitOfWork unit = Keyspace.open(new MemoryStore()).newUnit();
        for (int step = 0; step < 3000; step++) {
            List<Bytes> before = List.copyOf(oracle);
            unit.begin(0, true);
            for (int i = random.nextInt(3); i >= 0; i--) {
                change(unit.space(0), random);
                if (random.nextInt(4) == 0) {
                    assertRange(unit.space(0), random, "seed " + seed + ", within step " + step);
                }
            }
            if (random.nextInt(8) == 0) {
                unit.abandon();
                oracle.clear();
                oracle.addAll(before);
            } else {
                unit.commit();
            }
            unit.begin(0, false);
            assertRange(unit.space(0), random, "seed " + seed + ", step " + step);
        }
    }

    private void change(Space space, Random random) {
        ListEnd end = random.nextBoolean() ? ListEnd.LEFT : ListEnd.RIGHT;
        switch (random.nextInt(oracle.isEmpty() ? 1 : 6)) {
            case 0, 1 -> push(space, end, 1 + random.nextInt(random.nextInt(10) == 0 ? 300 : 4));
            case 2, 3 -> pop(space, end, 1 + random.nextInt(random.nextInt(10) == 0 ? 200 : 4));
            case 4 -> {
                int at = random.nextInt(oracle.size());
                oracle.set(at, value());
                lists.set(space, KEY, at, oracle.get(at));
            }
            default -> {
                Bytes moved = oracle.remove(oracle.size() - 1);
                oracle.add(0, moved);
                assertThat(lists.move(space, KEY, ListEnd.RIGHT, KEY, ListEnd.LEFT))
                        .contains(moved);
            }
        }
    }

    private void push(Space space, ListEnd end, int count) {
        for (int i = 0; i < count; i++) {
            Bytes value = value();
            oracle.add(end == ListEnd.LEFT ? 0 : oracle.size(), value);
            assertThat(lists.push(space, KEY, end, List.of(value))).isEqualTo(oracle.size());
        }
    }

    private void pop(Space space, ListEnd end, int count) {
        List<Bytes> taken = new ArrayList<>();
        while (taken.size() < count && !oracle.isEmpty()) {
            taken.add(oracle.remove(end == ListEnd.LEFT ? 0 : oracle.size() - 1));
        }
        assertThat(lists.pop(space, KEY, end, count)).contains(taken);
    }

    private void assertRange(Space space, Random random, String what) {
        int from = random.nextInt(oracle.size() + 1);
        int to = Math.min(oracle.size(), from + random.nextInt(random.nextBoolean() ? 10 : 200));
        assertThat(lists.range(space, KEY, from, to - 1L))
                .as(what)
                .isEqualTo(to == 0 ? oracle : oracle.subList(from, to));
    }

    /** Some are long, so that blocks of all sizes are met. */
    private Bytes value() {
        values++;
        return Bytes.utf8("v" + values + "x".repeat(values % 97 == 0 ? 1000 : 0));
    }
}
