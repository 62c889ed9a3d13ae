package io.polytable.redis.model.zset;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.order.Element;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random steps on a sorted set and on its oracle, each compared. */
final class SortedSetSteps {
    private final SortedSets sets;
    private final Bytes key;
    private final Random random;

    SortedSetSteps(SortedSets sets, Bytes key, Random random) {
        this.sets = sets;
        this.key = key;
        this.random = random;
    }

    void step(Space space, SortedSetOracle oracle, String where) {
        switch (random.nextInt(9)) {
            case 0, 1, 2 -> add(space, oracle, where);
            case 3 -> remove(space, oracle, where);
            case 4 -> removeRange(space, oracle, where);
            case 5 -> pop(space, oracle, where);
            default -> look(space, oracle, where);
        }
    }

    private void add(Space space, SortedSetOracle oracle, String where) {
        List<Element> elements = new ArrayList<>();
        for (int i = random.nextInt(random.nextInt(10) == 0 ? 900 : 90); i >= 0; i--) {
            elements.add(new Element(score(), member()));
        }
        long added = 0;
        for (Element element : elements) {
            added += oracle.scores().put(element.member(), element.score()) == null ? 1 : 0;
        }
        assertThat(sets.add(space, key, AddRules.ANY, elements).added())
                .as(where)
                .isEqualTo(added);
    }

    private void remove(Space space, SortedSetOracle oracle, String where) {
        List<Bytes> members = new ArrayList<>();
        for (int i = random.nextInt(200); i >= 0; i--) {
            members.add(member());
        }
        long removed = 0;
        for (Bytes member : members) {
            removed += oracle.scores().remove(member) != null ? 1 : 0;
        }
        assertThat(sets.remove(space, key, members)).as(where).isEqualTo(removed);
    }

    private void removeRange(Space space, SortedSetOracle oracle, String where) {
        ScoreBound min = bound();
        ScoreBound max = new ScoreBound(min.score() + random.nextInt(15), random.nextBoolean());
        List<Element> gone = oracle.withScores(min, max);
        oracle.remove(gone);
        assertThat(sets.removeRange(space, key, new ElementRange.Scores(min, max)))
                .as(where)
                .isEqualTo(gone.size());
    }

    private void pop(Space space, SortedSetOracle oracle, String where) {
        Direction direction = random.nextBoolean() ? Direction.FORWARD : Direction.REVERSE;
        int count = random.nextInt(random.nextInt(20) == 0 ? 2_000 : 60);
        List<Element> ordered = SortedSetOracle.inDirection(oracle.sorted(), direction);
        List<Element> gone = ordered.subList(0, Math.min(count, ordered.size()));
        oracle.remove(gone);
        assertThat(sets.pop(space, key, direction, count)).as(where).isEqualTo(gone);
    }

    private void look(Space space, SortedSetOracle oracle, String where) {
        List<Element> sorted = oracle.sorted();
        assertThat(sets.size(space, key)).as(where).isEqualTo(sorted.size());
        Direction direction = random.nextBoolean() ? Direction.FORWARD : Direction.REVERSE;
        for (int i = 0; i < 5; i++) {
            compareRank(space, SortedSetOracle.inDirection(sorted, direction), direction, where);
            ScoreBound min = bound();
            ScoreBound max = bound();
            ElementRange range = new ElementRange.Scores(min, max);
            List<Element> within = oracle.withScores(min, max);
            assertThat(sets.count(space, key, range)).as(where).isEqualTo(within.size());
            int offset = random.nextInt(400);
            int limit = random.nextInt(50);
            assertThat(sets.select(space, key, new Selection(range, direction, offset, limit)))
                    .as(where)
                    .isEqualTo(SortedSetOracle.inDirection(within, direction).stream()
                            .skip(offset)
                            .limit(limit)
                            .toList());
        }
    }

    private void compareRank(Space space, List<Element> ordered, Direction direction, String where) {
        if (ordered.isEmpty()) {
            return;
        }
        int rank = random.nextInt(ordered.size());
        assertThat(sets.rank(space, key, ordered.get(rank).member(), direction).map(SortedSets.Ranked::rank))
                .as(where)
                .contains((long) rank);
        int last = Math.min(ordered.size() - 1, rank + random.nextInt(30));
        assertThat(sets.select(space, key, Selection.all(new ElementRange.Ranks(rank, last), direction)))
                .as(where)
                .isEqualTo(ordered.subList(rank, last + 1));
    }

    private ScoreBound bound() {
        return new ScoreBound(random.nextInt(60) - 30, random.nextBoolean());
    }

    private double score() {
        return random.nextInt(60) - 30;
    }

    private Bytes member() {
        return Bytes.utf8("m" + random.nextInt(3_000));
    }
}
