package io.polytable.redis.model.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HashRingTest {
    private final UnitOfWork unit = Keyspace.open(new MemoryStore()).newUnit();
    private final Elements members = set();

    private Elements set() {
        unit.begin(0, true);
        Space space = unit.space(0);
        return space.elements(space.newCollection(Bytes.utf8("set"), Type.SET), ElementKind.SET_MEMBER);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aWalkMeetsEachRowThatStaysOnce(long seed) {
        Random random = new Random(seed);
        Set<Bytes> staying = add("stays", 500);
        Set<Bytes> going = add("goes", 500);
        Map<Bytes, Integer> met = new HashMap<>();
        long cursor = 0;
        int added = 0;
        do {
            Page page = members.page(cursor, 1 + random.nextInt(20));
            page.rows().forEach(row -> met.merge(row.sub(), 1, Integer::sum));
            cursor = page.cursor();
            going.stream().limit(5).toList().forEach(member -> remove(going, member));
            add("comes" + added++, 3);
        } while (cursor != 0);

        assertThat(met.keySet()).as("seed %d", seed).containsAll(staying);
        assertThat(met.values()).as("seed %d", seed).containsOnly(1);
    }

    @Test
    void aPageOfMoreThanThereIsEndsTheWalk() {
        Set<Bytes> all = add("m", 10);

        Page page = members.page(0, 10);

        assertThat(page.cursor()).isZero();
        assertThat(page.rows()).extracting(RingRow::sub).containsExactlyInAnyOrderElementsOf(all);
        assertThat(members.page(1L << 40, 10)).isEqualTo(Page.NOTHING);
    }

    @Test
    void picksEachOfAFewEquallyOften() {
        Set<Bytes> all = add("m", 50);
        Map<Bytes, Integer> picked = pick(50 * 200);

        assertThat(picked.keySet()).isEqualTo(all);
        assertThat(picked.values()).allMatch(times -> times > 100 && times < 300);
    }

    @Test
    void picksEachOfManySoonerOrLater() {
        add("m", 1000);

        assertThat(pick(20_000)).hasSize(1000);
        assertThat(pick(20_000).values()).allMatch(times -> times < 80);
    }

    @Test
    void picksNothingFromNothing() {
        assertThat(members.random(new Random(1))).isEmpty();
    }

    private Map<Bytes, Integer> pick(int times) {
        Random random = new Random(7);
        Map<Bytes, Integer> picked = new HashMap<>();
        for (int i = 0; i < times; i++) {
            picked.merge(members.random(random).orElseThrow().sub(), 1, Integer::sum);
        }
        return picked;
    }

    private Set<Bytes> add(String prefix, int count) {
        List<Bytes> added =
                IntStream.range(0, count).mapToObj(i -> Bytes.utf8(prefix + i)).toList();
        added.forEach(member -> members.put(member, Bytes.EMPTY));
        return new HashSet<>(added);
    }

    private void remove(Set<Bytes> from, Bytes member) {
        from.remove(member);
        members.delete(member);
    }
}
