package io.polytable.redis.model.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CandidatePoolsTest {
    private static final int LARGE = 20_000;

    private final UnitOfWork unit = Keyspace.open(new MemoryStore()).newUnit();
    private final Elements members = set();
    private final CandidatePools pools = new CandidatePools();
    private final Random random = new Random(3);
    private final Set<Bytes> present = new HashSet<>();

    private Elements set() {
        unit.begin(0, true);
        Space space = unit.space(0);
        return space.elements(space.newCollection(Bytes.utf8("set"), Type.SET), ElementKind.SET_MEMBER);
    }

    @Test
    void popsEachMemberOnce() {
        add("m", 1000);
        Set<Bytes> all = Set.copyOf(present);
        List<Bytes> popped = new ArrayList<>();
        while (!present.isEmpty()) {
            popped.add(pop());
        }

        assertThat(popped).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(all);
        assertThat(popped).isNotEqualTo(all.stream().toList());
    }

    @Test
    void neverAnswersAMemberThatIsGone() {
        add("m", LARGE);
        for (int i = 0; i < 2_000; i++) {
            present.stream().limit(3).toList().forEach(this::remove);
            assertPresent(pools.pick(members, present.size(), random).sub());
            pop();
        }
    }

    @Test
    void aNewMemberOfASmallSetIsPoppedAsOftenAsTheOthers() {
        int newcomers = 0;
        for (int round = 0; round < 400; round++) {
            add("old", 20);
            // The pool is filled before the newcomer is there.
            Bytes unusedFirst = pop();
            Bytes newcomer = Bytes.utf8("new");
            members.put(newcomer, Bytes.EMPTY);
            present.add(newcomer);
            newcomers += pop().equals(newcomer) ? 1 : 0;
            List.copyOf(present).forEach(this::remove);
        }

        // One of 20 each time: 20 of 400 are expected.
        assertThat(newcomers).isBetween(5, 50);
    }

    @Test
    void picksFromManyPlacesOfALargeSet() {
        add("m", LARGE);
        Set<Bytes> picked = new HashSet<>();
        for (int i = 0; i < 5_000; i++) {
            picked.add(pools.pick(members, present.size(), random).sub());
        }

        // 4,424 different ones are expected of 5,000 independent picks.
        assertThat(picked.size()).isBetween(3_800, 4_900);
    }

    @Test
    void popsOfALargeSetAnswerEachMemberOnce() {
        add("m", LARGE);
        Set<Bytes> popped = new HashSet<>();
        for (int i = 0; i < 2_000; i++) {
            // Others go meanwhile, some of them candidates.
            if (i % 3 == 0) {
                remove(present.iterator().next());
            }
            assertThat(popped.add(pop())).isTrue();
        }
        assertThat(popped).hasSize(2_000).doesNotContainAnyElementsOf(present);
    }

    /** AssertJ's {@code contains} would walk through the whole set. */
    private void assertPresent(Bytes member) {
        assertThat(present.contains(member)).as("%s is present", member).isTrue();
    }

    private Bytes pop() {
        Bytes popped = pools.pop(members, present.size(), random);
        assertPresent(popped);
        assertThat(members.get(popped)).isEmpty();
        present.remove(popped);
        return popped;
    }

    private void add(String prefix, int count) {
        IntStream.range(0, count).mapToObj(i -> Bytes.utf8(prefix + i)).forEach(member -> {
            members.put(member, Bytes.EMPTY);
            present.add(member);
        });
    }

    private void remove(Bytes member) {
        present.remove(member);
        members.delete(member);
    }
}
