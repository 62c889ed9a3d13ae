package io.polytable.redis.model.set;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.Progress;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.Page;
import io.polytable.redis.model.upkeep.RedisIntegrity;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SetsTest {
    private static final List<Bytes> KEYS = List.of(Bytes.utf8("a"), Bytes.utf8("b"), Bytes.utf8("c"));

    private final MemoryStore store = new MemoryStore();
    private final Sets sets = new Sets();

    /** A seeded history, each step on the model and on plain sets; every few steps the tables are opened again. */
    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0", "3, 16", "4, 16"})
    void answersAsTheOracleDoes(long seed, int shards) {
        Random random = new Random(seed);
        RandomMembers chance = new RandomMembers(() -> random);
        List<Set<Bytes>> oracle = List.of(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        UnitOfWork unit = open(shards).newUnit();
        for (int step = 0; step < 2000; step++) {
            if (step % 500 == 0) {
                unit = open(shards).newUnit();
            }
            unit.begin(1000, true);
            step(random, chance, unit.space(0), oracle, "seed " + seed + ", step " + step);
            unit.commit();
            assertHolds(unit, oracle, "seed " + seed + ", after step " + step);
        }
        assertThat(RedisIntegrity.verify(open(shards), Progress.NONE).isClean()).isTrue();
    }

    private Keyspace open(int shards) {
        return shards == 0 ? Keyspace.open(store) : Keyspace.openSharded(store, shards);
    }

    private void step(Random random, RandomMembers chance, Space space, List<Set<Bytes>> oracle, String what) {
        int at = random.nextInt(3);
        int otherAt = random.nextInt(3);
        Bytes key = KEYS.get(at);
        Bytes other = KEYS.get(otherAt);
        Set<Bytes> expected = oracle.get(at);
        List<Bytes> members = members(random);
        switch (random.nextInt(7)) {
            case 0, 1 -> {
                int before = expected.size();
                expected.addAll(members);
                assertThat(sets.add(space, key, members)).as(what).isEqualTo(expected.size() - before);
            }
            case 2 -> {
                int before = expected.size();
                expected.removeAll(members);
                assertThat(sets.remove(space, key, members)).as(what).isEqualTo(before - expected.size());
            }
            case 3 -> {
                Bytes member = members.get(0);
                boolean moved = expected.remove(member);
                if (moved) {
                    oracle.get(otherAt).add(member);
                }
                assertThat(sets.move(space, key, other, member)).as(what).isEqualTo(moved);
            }
            case 4 -> {
                int count = random.nextInt(5);
                List<Bytes> taken = chance.pop(space, key, count);
                assertThat(taken)
                        .as(what)
                        .hasSize(Math.min(count, expected.size()))
                        .doesNotHaveDuplicates();
                assertThat(expected).as(what).containsAll(taken);
                taken.forEach(expected::remove);
            }
            case 5 -> {
                List<Bytes> common = SetOperands.of(space, List.of(key, other)).intersection();
                sets.store(space, key, common, Sets.event("sinterstore"));
                expected.retainAll(new HashSet<>(oracle.get(otherAt)));
            }
            default ->
                assertThat(sets.containsEach(space, key, members))
                        .as(what)
                        .isEqualTo(members.stream().map(expected::contains).toList());
        }
    }

    private static List<Bytes> members(Random random) {
        List<Bytes> members = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            members.add(Bytes.utf8("m" + random.nextInt(40)));
        }
        return members;
    }

    private void assertHolds(UnitOfWork unit, List<Set<Bytes>> oracle, String what) {
        unit.begin(1000, false);
        Space space = unit.space(0);
        Set<Bytes> union = new HashSet<>();
        Set<Bytes> common = new HashSet<>(oracle.get(0));
        Set<Bytes> rest = new HashSet<>(oracle.get(0));
        for (int i = 0; i < KEYS.size(); i++) {
            Bytes key = KEYS.get(i);
            Set<Bytes> expected = oracle.get(i);
            assertThat(sets.members(space, key)).as(what).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(sets.size(space, key)).as(what).isEqualTo(expected.size());
            assertThat(space.header(key).isPresent()).as(what).isEqualTo(!expected.isEmpty());
            union.addAll(expected);
            common.retainAll(expected);
            if (i > 0) {
                rest.removeAll(expected);
            }
        }
        SetOperands all = SetOperands.of(space, KEYS);
        assertThat(all.union()).as(what).containsExactlyInAnyOrderElementsOf(union);
        assertThat(all.intersection()).as(what).containsExactlyInAnyOrderElementsOf(common);
        assertThat(all.intersectionSize(2)).as(what).isEqualTo(Math.min(2, common.size()));
        assertThat(all.difference()).as(what).containsExactlyInAnyOrderElementsOf(rest);
    }

    @Test
    void aScanMeetsEveryMemberThatStays() {
        UnitOfWork unit = open(0).newUnit();
        Bytes key = Bytes.utf8("large");
        unit.begin(0, true);
        Set<Bytes> staying = new HashSet<>();
        for (int i = 0; i < 2000; i++) {
            staying.add(Bytes.utf8("stay" + i));
        }
        sets.add(unit.space(0), key, List.copyOf(staying));
        unit.commit();
        Set<Bytes> seen = new HashSet<>();
        long cursor = 0;
        int steps = 0;
        do {
            unit.begin(0, true);
            Page page = sets.scan(unit.space(0), key, cursor, 100);
            page.rows().forEach(row -> seen.add(row.sub()));
            cursor = page.cursor();
            sets.add(unit.space(0), key, List.of(Bytes.utf8("pass" + steps++)));
            unit.commit();
        } while (cursor != 0);
        assertThat(seen).containsAll(staying);
        assertThat(steps).isGreaterThan(10);
    }
}
