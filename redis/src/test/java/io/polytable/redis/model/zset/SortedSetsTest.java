package io.polytable.redis.model.zset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.order.FenceRows;
import io.polytable.redis.model.order.OrderRows;
import io.polytable.redis.model.order.Ordering;
import io.polytable.redis.model.order.SortKeys;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.WriteSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sorted sets against a sorted list: long histories with failures, restarts, renames and several commands a commit. */
class SortedSetsTest {
    private static final Bytes KEY = Bytes.utf8("key");

    private final TableStore store = new MemoryStore();
    private final SortedSets sets = new SortedSets();
    private Keyspace keyspace = Keyspace.open(store);
    private UnitOfWork unit = keyspace.newUnit();

    private Space space() {
        return unit.space(0);
    }

    private List<String> problems() {
        unit.begin(0, false);
        List<String> problems = new ArrayList<>();
        space().header(KEY)
                .ifPresent(header ->
                        new SortedSetCheck(unit.tables(), store, (CollectionHeader) header, problems::add).run());
        return problems;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void answersAsTheOracleDoes(long seed) {
        play(seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 4, 5, 6})
    @Tag("peers")
    void answersAsTheOracleDoesForLong(long seed) {
        play(seed);
    }

    private void play(long seed) {
        Random random = new Random(seed);
        SortedSetOracle oracle = new SortedSetOracle();
        SortedSetSteps steps = new SortedSetSteps(sets, KEY, random);
        for (int round = 0; round < 250; round++) {
            SortedSetOracle before = oracle.copy();
            unit.begin(0, true);
            for (int i = random.nextInt(4); i >= 0; i--) {
                steps.step(space(), oracle, "seed " + seed + ", round " + round);
            }
            if (random.nextInt(10) == 0) {
                unit.abandon();
                oracle = before;
            } else {
                unit.commit();
            }
            if (random.nextInt(40) == 0) {
                assertThat(problems()).as("seed %d, round %d", seed, round).isEmpty();
                reopenNowAndThen(random);
            }
        }
        assertThat(problems()).as("seed %d", seed).isEmpty();
    }

    private void reopenNowAndThen(Random random) {
        if (random.nextBoolean()) {
            keyspace = Keyspace.open(store);
            unit = keyspace.newUnit();
        }
    }

    @Test
    void twoWorkersSeeEachOthersChanges() {
        Random random = new Random(5);
        SortedSetOracle oracle = new SortedSetOracle();
        UnitOfWork other = keyspace.newUnit();
        SortedSetSteps steps = new SortedSetSteps(sets, KEY, random);
        for (int round = 0; round < 300; round++) {
            UnitOfWork turn = random.nextBoolean() ? unit : other;
            turn.begin(0, true);
            steps.step(turn.space(0), oracle, "round " + round);
            turn.commit();
        }
        assertThat(problems()).isEmpty();
    }

    @Test
    void growsToThousandsAndShrinksToNothing() {
        growAndShrink(15_000);
    }

    @Test
    @Tag("peers")
    void growsToManyAndShrinksToNothing() {
        growAndShrink(100_000);
    }

    private void growAndShrink(int size) {
        Random random = new Random(3);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            elements.add(new Element(random.nextInt(size), Bytes.utf8("member:" + i)));
        }
        for (int from = 0; from < size; from += 5_000) {
            unit.begin(0, true);
            sets.add(space(), KEY, AddRules.ANY, elements.subList(from, from + 5_000));
            unit.commit();
        }
        assertThat(problems()).isEmpty();
        assertRanks(elements, random);

        for (long left = size; left > 0; ) {
            unit.begin(0, true);
            ElementRange range = new ElementRange.Ranks(left / 5, left / 2);
            long removed = sets.removeRange(space(), KEY, range);
            assertThat(removed).isEqualTo(left / 2 - left / 5 + 1);
            unit.commit();
            left -= removed;
            assertThat(problems()).as("%d left", left).isEmpty();
        }
        unit.begin(0, false);
        assertThat(space().header(KEY)).isEmpty();
    }

    private void assertRanks(List<Element> elements, Random random) {
        List<Element> sorted = SortedSetOracle.sorted(elements);
        unit.begin(0, false);
        for (int i = 0; i < 200; i++) {
            int rank = random.nextInt(sorted.size());
            assertThat(sets.rank(space(), KEY, sorted.get(rank).member(), Direction.FORWARD))
                    .contains(new SortedSets.Ranked(rank, sorted.get(rank).score()));
            ElementRange one = new ElementRange.Ranks(rank, rank);
            assertThat(sets.select(space(), KEY, Selection.all(one, Direction.FORWARD)))
                    .containsExactly(sorted.get(rank));
        }
    }

    @Test
    void aRenamedOrReplacedSetIsNotMixedUpWithAnother() {
        unit.begin(0, true);
        sets.store(space(), KEY, numbered(500), KeyEvent.UNNAMED);
        unit.commit();
        unit.begin(0, true);
        assertThat(space().remove(KEY)).isTrue();
        sets.store(space(), KEY, numbered(200), KeyEvent.UNNAMED);
        unit.commit();
        unit.begin(0, true);
        sets.add(space(), KEY, AddRules.ANY, List.of(new Element(-1, Bytes.utf8("first"))));
        unit.commit();

        assertThat(problems()).isEmpty();
        unit.begin(0, false);
        assertThat(sets.rank(space(), KEY, Bytes.utf8("m00199"), Direction.FORWARD))
                .contains(new SortedSets.Ranked(200, 199));
    }

    private static List<Element> numbered(int size) {
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            elements.add(new Element(i, Bytes.utf8(String.format("m%05d", i))));
        }
        return elements;
    }

    /** As in Redis, where a small set is packed in a way that has no negative zero. */
    @Test
    void onlyLargeSetsKnowNegativeZero() {
        unit.begin(0, true);
        sets.add(space(), KEY, AddRules.ANY, List.of(new Element(-0.0, Bytes.utf8("narrow"))));
        assertThat(sets.score(space(), KEY, Bytes.utf8("narrow"))).hasValue(0.0);
        sets.add(space(), KEY, AddRules.ANY, List.of(new Element(-0.0, Bytes.utf8("w".repeat(65)))));
        sets.add(space(), KEY, AddRules.ANY, List.of(new Element(-0.0, Bytes.utf8("a"))));
        sets.add(space(), KEY, AddRules.ANY, List.of(new Element(0.0, Bytes.utf8("b"))));

        assertThat(sets.select(space(), KEY, Selection.all(new ElementRange.Ranks(0, -1), Direction.FORWARD)))
                .containsExactly(
                        new Element(-0.0, Bytes.utf8("a")),
                        new Element(0.0, Bytes.utf8("b")),
                        new Element(0.0, Bytes.utf8("narrow")),
                        new Element(-0.0, Bytes.utf8("w".repeat(65))));
        unit.commit();
        assertThat(problems()).isEmpty();
    }

    @Test
    void refusesASumThatIsNoNumberAndLeavesTheSetAlone() {
        unit.begin(0, true);
        sets.add(space(), KEY, AddRules.ANY, List.of(new Element(Double.POSITIVE_INFINITY, Bytes.utf8("a"))));
        unit.commit();
        unit.begin(0, true);
        List<Element> opposite = List.of(new Element(Double.NEGATIVE_INFINITY, Bytes.utf8("a")));
        assertThatThrownBy(() -> sets.add(space(), KEY, AddRules.INCREMENT, opposite))
                .isInstanceOf(RedisError.class)
                .hasMessage("resulting score is not a number (NaN)");
        assertThat(unit.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 129, 1_000, 20_000})
    void repairsTheOrderFromTheMembers(int size) {
        unit.begin(0, true);
        sets.store(space(), KEY, numbered(size), KeyEvent.UNNAMED);
        unit.commit();
        damage(new Random(size));
        assertThat(problems()).isNotEmpty();

        unit.begin(0, true);
        CollectionHeader header = space().collection(KEY, Type.ZSET).orElseThrow();
        CollectionHeader repaired = new SortedSetRepair(unit.tables(), header, done -> {}).run();
        space().put(KEY, repaired);
        unit.commit();

        assertThat(problems()).isEmpty();
        unit.begin(0, false);
        assertThat(sets.select(space(), KEY, Selection.all(new ElementRange.Ranks(0, -1), Direction.FORWARD)))
                .isEqualTo(numbered(size));
    }

    /** Takes a place away, adds one that is nobody's, and miscounts a fence. */
    private void damage(Random random) {
        unit.begin(0, true);
        CollectionHeader header = space().collection(KEY, Type.ZSET).orElseThrow();
        WriteSet work = unit.writes();
        OrderRows orders = new OrderRows(unit.tables().elements(header.home()), header.id(), Ordering.SCORES);
        int victim = random.nextInt((int) header.size());
        orders.delete(work, SortKeys.of(victim, Bytes.utf8(String.format("m%05d", victim))));
        orders.put(work, SortKeys.of(0.5, Bytes.utf8("nobody")), Bytes.EMPTY);
        FenceRows fences = new FenceRows(unit.tables().elements(header.home()), header.id(), Ordering.SCORES);
        fences.put(work, 1, SortKeys.START, 7, 0);
        unit.commit();
    }
}
