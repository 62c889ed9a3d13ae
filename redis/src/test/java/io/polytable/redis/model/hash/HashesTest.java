package io.polytable.redis.model.hash;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.row.Page;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashesTest {
    private final MemoryStore store = new MemoryStore();
    private final Hashes hashes = new Hashes();

    /** A seeded history, each step on the model and on plain maps; every few steps the tables are opened again. */
    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0", "3, 16", "4, 16"})
    void answersAsTheOracleDoes(long seed, int shards) {
        Random random = new Random(seed);
        Map<Bytes, Map<Bytes, Bytes>> oracle = new HashMap<>();
        UnitOfWork unit = open(shards);
        for (int step = 0; step < 3000; step++) {
            if (step % 500 == 0) {
                unit = open(shards);
            }
            Bytes key = Bytes.utf8("key" + random.nextInt(3));
            Map<Bytes, Bytes> expected = oracle.computeIfAbsent(key, unused -> new TreeMap<>());
            unit.begin(1000, true);
            step(random, unit.space(0), key, expected, "seed " + seed + ", step " + step);
            if (random.nextInt(10) == 0) {
                // Reads of the same unit see what it has written.
                step(random, unit.space(0), key, expected, "seed " + seed + ", second of step " + step);
            }
            unit.commit();
            assertHolds(unit, key, expected, "seed " + seed + ", after step " + step);
        }
    }

    private UnitOfWork open(int shards) {
        Keyspace keyspace = shards == 0 ? Keyspace.open(store) : Keyspace.openSharded(store, shards);
        return keyspace.newUnit();
    }

    private void step(Random random, Space space, Bytes key, Map<Bytes, Bytes> expected, String what) {
        Bytes field = Bytes.utf8("f" + random.nextInt(40));
        Bytes other = Bytes.utf8("f" + random.nextInt(40));
        Bytes value = Bytes.utf8("" + random.nextInt(100));
        switch (random.nextInt(7)) {
            case 0 -> {
                Set<Bytes> fresh = new HashSet<>(List.of(field, other));
                fresh.removeAll(expected.keySet());
                expected.put(field, value);
                expected.put(other, field);
                assertThat(hashes.put(space, key, List.of(field, value, other, field)))
                        .as(what)
                        .isEqualTo(fresh.size());
                // The history adds to numbers only.
                expected.put(other, value);
                hashes.put(space, key, List.of(other, value));
            }
            case 1 ->
                assertThat(hashes.putIfAbsent(space, key, field, value))
                        .as(what)
                        .isEqualTo(expected.putIfAbsent(field, value) == null);
            case 2, 3, 4 -> {
                Set<Bytes> gone = new HashSet<>(List.of(field, other));
                gone.retainAll(expected.keySet());
                expected.keySet().removeAll(gone);
                assertThat(hashes.remove(space, key, List.of(field, other)))
                        .as(what)
                        .isEqualTo(gone.size());
            }
            case 5 -> {
                long sum = 7
                        + Long.parseLong(
                                expected.getOrDefault(field, Bytes.utf8("0")).utf8());
                expected.put(field, Numbers.format(sum));
                assertThat(hashes.add(space, key, field, 7)).as(what).isEqualTo(sum);
            }
            default ->
                assertThat(hashes.getMany(space, key, List.of(field, other)))
                        .as(what)
                        .containsExactly(
                                Optional.ofNullable(expected.get(field)), Optional.ofNullable(expected.get(other)));
        }
    }

    private void assertHolds(UnitOfWork unit, Bytes key, Map<Bytes, Bytes> expected, String what) {
        unit.begin(1000, false);
        Space space = unit.space(0);
        Map<Bytes, Bytes> rows = new HashMap<>();
        hashes.forEach(space, key, rows::put);
        assertThat(rows).as(what).isEqualTo(expected);
        assertThat(hashes.size(space, key)).as(what).isEqualTo(expected.size());
        assertThat(space.header(key).isPresent()).as(what).isEqualTo(!expected.isEmpty());
    }

    @Test
    void aScanMeetsEveryFieldThatStays() {
        Random random = new Random(3);
        UnitOfWork unit = open(0);
        Bytes key = Bytes.utf8("h");
        Set<Bytes> staying = new HashSet<>();
        unit.begin(0, true);
        for (int i = 0; i < 2000; i++) {
            Bytes field = Bytes.utf8("stay" + i);
            staying.add(field);
            hashes.put(unit.space(0), key, List.of(field, Bytes.EMPTY));
        }
        unit.commit();
        Set<Bytes> seen = new HashSet<>();
        long cursor = 0;
        do {
            unit.begin(0, true);
            Page page = hashes.scan(unit.space(0), key, cursor, 100);
            page.rows().forEach(row -> seen.add(row.sub()));
            cursor = page.cursor();
            for (int i = 0; i < 200; i++) {
                Bytes passing = Bytes.utf8("pass" + random.nextInt(1000));
                if (random.nextBoolean()) {
                    hashes.put(unit.space(0), key, List.of(passing, Bytes.EMPTY));
                } else {
                    hashes.remove(unit.space(0), key, List.of(passing));
                }
            }
            unit.commit();
        } while (cursor != 0);
        assertThat(seen).containsAll(staying);
    }
}
