package io.polytable.redis.model.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.Progress;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.stream.entry.NodeLimits;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.redis.model.upkeep.RedisIntegrity;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamsTest {
    private static final Bytes KEY = Bytes.utf8("s");
    private static final Bytes GROUP = Bytes.utf8("g");
    private static final List<Bytes> GROUPS = List.of(Bytes.utf8("g"), Bytes.utf8("h"));
    private static final List<Bytes> CONSUMERS = List.of(Bytes.utf8("c"), Bytes.utf8("d"), Bytes.EMPTY);
    private static final int STEPS = 1500;

    private final MemoryStore store = new MemoryStore();
    private final Streams streams = new Streams(() -> new NodeLimits(4, 4096));
    private final Groups groups = new Groups();
    private final GroupReads reads = new GroupReads();
    private final Claims claims = new Claims();

    /** A seeded history, each step on the model and on plain maps; every few steps the tables are opened again. */
    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0", "3, 16", "4, 16"})
    void answersAsTheOracleDoes(long seed, int shards) {
        Random random = new Random(seed);
        PlainStream oracle = new PlainStream();
        UnitOfWork unit = open(shards).newUnit();
        for (int step = 0; step < STEPS; step++) {
            if (step % 300 == 0) {
                unit = open(shards).newUnit();
            }
            String what = "seed " + seed + ", step " + step;
            unit.begin(1000 + step, true);
            step(random, unit.space(0), oracle, what);
            unit.commit();
            if (step % 10 == 0) {
                unit.begin(1000 + step, false);
                assertHolds(unit.space(0), oracle, what);
                unit.abandon();
            }
        }
        assertThat(RedisIntegrity.verify(open(shards), Progress.NONE).findings())
                .isEmpty();
    }

    private Keyspace open(int shards) {
        return shards == 0 ? Keyspace.open(store) : Keyspace.openSharded(store, shards);
    }

    private void step(Random random, Space space, PlainStream oracle, String what) {
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> add(random, space, oracle, what);
            case 4 -> {
                List<StreamId> ids = ids(random, oracle);
                assertThat(streams.delete(space, KEY, ids)).as(what).isEqualTo(oracle.delete(ids));
            }
            case 5 -> trim(random, space, oracle, what);
            default -> groupStep(random, space, oracle, what);
        }
    }

    private void add(Random random, Space space, PlainStream oracle, String what) {
        List<Bytes> fields = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            fields.add(Bytes.utf8("f" + random.nextInt(3)));
            fields.add(Bytes.utf8("v".repeat(random.nextInt(40))));
        }
        StreamId id = new StreamId(oracle.last.millis() + random.nextInt(2), oracle.last.sequence() + 1);
        assertThat(streams.add(space, KEY, new NewId.Given(id), fields, true, null))
                .as(what)
                .contains(id);
        oracle.add(id, fields);
    }

    private void trim(Random random, Space space, PlainStream oracle, String what) {
        if (random.nextBoolean()) {
            long length = Math.max(0, oracle.entries.size() - random.nextInt(12));
            assertThat(streams.trim(space, KEY, new TrimRule.ToLength(length, false, 0)))
                    .as(what)
                    .isEqualTo(oracle.trimToLength(length));
        } else {
            StreamId id = oracle.entries.isEmpty() || random.nextInt(4) > 0 ? anyId(random, oracle) : oracle.last;
            assertThat(streams.trim(space, KEY, new TrimRule.ToId(id, false, 0)))
                    .as(what)
                    .isEqualTo(oracle.trimToId(id));
        }
    }

    private void groupStep(Random random, Space space, PlainStream oracle, String what) {
        Bytes group = GROUPS.get(random.nextInt(GROUPS.size()));
        Bytes consumer = CONSUMERS.get(random.nextInt(CONSUMERS.size()));
        if (!oracle.groups.containsKey(group)) {
            StreamId start = random.nextBoolean() ? StreamId.MIN : oracle.last;
            groups.create(space, KEY, group, new Groups.Start(Optional.of(start), Group.UNKNOWN), true);
            oracle.groups.put(group, new PlainStream.PlainGroup(start));
            return;
        }
        List<StreamId> ids = ids(random, oracle);
        switch (random.nextInt(14)) {
            case 0 -> {
                assertThat(groups.deleteConsumer(space, KEY, group, consumer))
                        .as(what)
                        .isEqualTo(oracle.deleteConsumer(group, consumer));
            }
            case 1 -> {
                if (random.nextInt(4) == 0) {
                    assertThat(groups.destroy(space, KEY, group)).as(what).isTrue();
                    oracle.groups.remove(group);
                }
            }
            case 2 -> {
                StreamId last = anyId(random, oracle);
                groups.setLast(space, KEY, group, new Groups.Start(Optional.of(last), 0));
                oracle.groups.get(group).last = last;
            }
            case 3, 4, 5 ->
                assertThat(groups.acknowledge(space, KEY, group, ids))
                        .as(what)
                        .isEqualTo(oracle.acknowledge(group, ids));
            case 6, 7 -> {
                Claims.Claimant claimant = new Claims.Claimant(group, consumer, 0, OptionalLong.empty(), false);
                Claims.Options options = new Claims.Options(space.nowMillis(), false, StreamId.MIN);
                assertThat(claims.claim(space, KEY, claimant, ids, options))
                        .as(what)
                        .extracting(StreamEntry::id)
                        .isEqualTo(oracle.claim(group, consumer, ids, space.nowMillis()));
            }
            default -> {
                GroupReads.Reader reader = new GroupReads.Reader(group, consumer, 1 + random.nextInt(4), false);
                assertThat(reads.deliver(space, KEY, reader))
                        .as(what)
                        .extracting(StreamEntry::id)
                        .isEqualTo(oracle.deliver(group, consumer, reader.count(), space.nowMillis()));
            }
        }
    }

    private static List<StreamId> ids(Random random, PlainStream oracle) {
        List<StreamId> ids = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            ids.add(anyId(random, oracle));
        }
        return ids;
    }

    private static StreamId anyId(Random random, PlainStream oracle) {
        long span = 1 + oracle.last.sequence();
        StreamId wanted = new StreamId(0, Math.floorMod(random.nextLong(), span));
        // Sequence numbers are given only once, so one names an entry whatever its time.
        return oracle.entries.keySet().stream()
                .filter(id -> id.sequence() >= wanted.sequence())
                .findFirst()
                .orElse(wanted);
    }

    private void assertHolds(Space space, PlainStream oracle, String what) {
        assertThat(streams.size(space, KEY)).as(what).isEqualTo(oracle.entries.size());
        assertThat(streams.last(space, KEY)).as(what).isEqualTo(oracle.last);
        List<StreamEntry> expected = oracle.entries.entrySet().stream()
                .map(entry -> new StreamEntry(entry.getKey(), entry.getValue()))
                .toList();
        assertThat(streams.range(space, KEY, StreamId.MIN, StreamId.MAX, Direction.FORWARD, Long.MAX_VALUE))
                .as(what)
                .isEqualTo(expected);
        for (Map.Entry<Bytes, PlainStream.PlainGroup> group : oracle.groups.entrySet()) {
            Groups.Summary summary = groups.pending(space, KEY, group.getKey());
            assertThat(summary.pending())
                    .as(what)
                    .isEqualTo(group.getValue().pending.size());
            if (summary.pending() > 0) {
                assertThat(summary.oldest())
                        .as(what)
                        .isEqualTo(group.getValue().pending.firstKey());
                assertThat(summary.newest())
                        .as(what)
                        .isEqualTo(group.getValue().pending.lastKey());
            }
            Groups.PendingQuery all =
                    new Groups.PendingQuery(StreamId.MIN, StreamId.MAX, Long.MAX_VALUE, 0, Optional.empty());
            assertThat(groups.pending(space, KEY, group.getKey(), all))
                    .as(what)
                    .isEqualTo(List.copyOf(group.getValue().pending.values()));
            assertThat(new StreamReports().consumers(space, KEY, group.getKey()))
                    .as(what)
                    .extracting(Consumer::name)
                    .isEqualTo(List.copyOf(group.getValue().consumers));
        }
    }

    @Test
    void aLargeTrimmingIsOneRangeDelete() {
        long more = Trimming.SINGLE_DELETES_MAX + 100;
        UnitOfWork unit = Keyspace.open(store).newUnit();
        unit.begin(1, true);
        for (long i = 1; i <= more; i++) {
            Object unused = streams.add(
                    unit.space(0),
                    KEY,
                    new NewId.Given(new StreamId(i, 0)),
                    List.of(Bytes.utf8("f"), Bytes.utf8("v")),
                    true,
                    null);
        }
        unit.commit();
        unit.begin(1, true);
        assertThat(streams.trim(unit.space(0), KEY, new TrimRule.ToLength(10, false, 0)))
                .isEqualTo(more - 10);
        assertThat(unit.writes().changes()).isLessThan(10_000);
        unit.commit();
        unit.begin(1, false);
        assertThat(streams.range(unit.space(0), KEY, StreamId.MIN, StreamId.MAX, Direction.FORWARD, 1))
                .extracting(StreamEntry::id)
                .containsExactly(new StreamId(more - 9, 0));
        assertThat(RedisIntegrity.verify(Keyspace.open(store), Progress.NONE).findings())
                .isEmpty();
    }

    /** One consumer read nearly all; others read some of the first, some in between, and the last. */
    @Test
    void aConsumerWithVeryManyPendingEntriesGoesInFewChanges() {
        long more = Trimming.SINGLE_DELETES_MAX + 5_000;
        Keyspace keyspace = Keyspace.open(store);
        UnitOfWork unit = keyspace.newUnit();
        unit.begin(1, true);
        Space space = unit.space(0);
        for (long i = 1; i <= more; i++) {
            Object unused =
                    streams.add(space, KEY, new NewId.Given(new StreamId(i, 0)), List.of(GROUP, GROUP), true, null);
        }
        groups.create(space, KEY, GROUP, new Groups.Start(Optional.of(StreamId.MIN), 0), false);
        for (long left = more; left > 0; left -= 1_000) {
            unit.commit();
            unit.begin(1, true);
            deliver(space, "other", 1);
            deliver(space, "many", 949);
            deliver(space, "other", 1);
            deliver(space, "many", 20);
            deliver(space, "other", 1);
            deliver(space, "many", 28);
        }
        unit.commit();
        unit.begin(1, true);
        long others = more / 1_000 * 3;
        assertThat(groups.deleteConsumer(unit.space(0), KEY, GROUP, Bytes.utf8("many")))
                .isEqualTo(more - others);
        assertThat(unit.writes().changes()).isLessThan(2_000);
        assertThat(groups.pending(unit.space(0), KEY, GROUP).pending()).isEqualTo(others);
        unit.commit();
        unit.begin(1, false);
        Groups.Summary left = groups.pending(unit.space(0), KEY, GROUP);
        assertThat(left.pending()).isEqualTo(others);
        assertThat(left.oldest()).isEqualTo(new StreamId(1, 0));
        assertThat(left.newest()).isEqualTo(new StreamId(more - 28, 0));
        assertThat(left.consumers()).extracting(Consumer::pending).containsExactly(others);
        assertThat(RedisIntegrity.verify(keyspace, Progress.NONE).findings()).isEmpty();
    }

    private void deliver(Space space, String consumer, long count) {
        assertThat(new GroupReads()
                        .deliver(space, KEY, new GroupReads.Reader(GROUP, Bytes.utf8(consumer), count, false)))
                .hasSize((int) count);
    }
}
