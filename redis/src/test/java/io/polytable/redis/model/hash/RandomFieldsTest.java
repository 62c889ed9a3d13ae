package io.polytable.redis.model.hash;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.row.RingRow;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RandomFieldsTest {
    private static final Bytes KEY = Bytes.utf8("h");

    private final UnitOfWork unit = Keyspace.open(new MemoryStore()).newUnit();
    private final Random random = new Random(5);
    private final RandomFields fields = new RandomFields(() -> random);

    private Space hashOf(int size) {
        unit.begin(0, true);
        List<Bytes> pairs = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            pairs.add(Numbers.format(i));
            pairs.add(Numbers.format(-i));
        }
        new Hashes().put(unit.space(0), KEY, pairs);
        unit.commit();
        unit.begin(0, false);
        return unit.space(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100, 1000, 5000, 10_000})
    void distinctPicksAreSoManyAndNoneTwice(int count) {
        Space space = hashOf(5000);

        List<RingRow> picked = fields.distinct(space, KEY, count);

        assertThat(picked).hasSize(Math.min(count, 5000)).doesNotHaveDuplicates();
        assertThat(picked)
                .allSatisfy(row -> assertThat(row.value().utf8())
                        .isEqualTo(
                                row.sub().utf8().equals("0")
                                        ? "0"
                                        : "-" + row.sub().utf8()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100, 20_000})
    void repeatingPicksAreExactlySoMany(int count) {
        assertThat(fields.repeating(hashOf(5000), KEY, count)).hasSize(count);
        assertThat(fields.repeating(hashOf(5000), Bytes.utf8("none"), count)).isEmpty();
    }

    @Test
    void everyFieldOfASmallHashHasTheSameChance() {
        Space space = hashOf(10);
        Map<Bytes, Integer> ones = new HashMap<>();
        Map<Bytes, Integer> threes = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            ones.merge(fields.one(space, KEY).orElseThrow().sub(), 1, Integer::sum);
            fields.distinct(space, KEY, 3).forEach(row -> threes.merge(row.sub(), 1, Integer::sum));
        }
        fields.repeating(space, KEY, 10_000).forEach(row -> ones.merge(row.sub(), 1, Integer::sum));
        // Six standard deviations; the seed is fixed.
        assertThat(ones)
                .hasSize(10)
                .allSatisfy((field, times) -> assertThat(times).isBetween(1745, 2255));
        assertThat(threes)
                .hasSize(10)
                .allSatisfy((field, times) -> assertThat(times).isBetween(2725, 3275));
    }

    @Test
    void picksOfALargeHashReachAllOfIt() {
        Space space = hashOf(1000);
        Map<Bytes, Integer> times = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            times.merge(fields.one(space, KEY).orElseThrow().sub(), 1, Integer::sum);
            // As after each command: what all of them read would be too much for a small heap.
            unit.release();
        }
        // Fifty each on average. The order in the table is secret and new each time, so chance must be given space.
        assertThat(times).hasSize(1000);
        assertThat(times.values()).allSatisfy(count -> assertThat(count).isLessThan(150));
    }
}
