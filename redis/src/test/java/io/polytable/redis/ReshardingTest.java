package io.polytable.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.Progress;
import io.polytable.redis.model.dump.Digests;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.upkeep.RedisIntegrity;
import io.polytable.redis.model.upkeep.Resharding;
import io.polytable.table.StoreException;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.FaultPlan;
import io.polytable.table.testkit.FaultyStore;
import io.polytable.table.testkit.MemoryStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Another number of shards for keys of all types, also when the run is interrupted anywhere. */
class ReshardingTest {
    private static final InstantSource CLOCK = InstantSource.system();
    private static final int DATABASES = 16;

    private static Keyspace open(TableStore store, int shards) {
        return shards == 0 ? Keyspace.open(store) : Keyspace.openSharded(store, shards);
    }

    /** Every kind of value, renamed so that some have their elements in another shard; and garbage. */
    private static void fill(TableStore store, int shards) {
        try (Keyspace keyspace = open(store, shards)) {
            RedisInProcess redis = new RedisInProcess(CLOCK, keyspace);
            for (DumpCase each : DumpCase.all()) {
                each.commands().forEach(redis::run);
                redis.run("rename", "k", each.name());
            }
            redis.run("expire", "list of one", "100000");
            redis.run("hset", "gone", "f", "v", "g", "w");
            redis.run("del", "gone");
            redis.run("select", "3");
            redis.run("sadd", "elsewhere", "a", "b");
            redis.run("flushdb");
            redis.run("zadd", "elsewhere", "1", "a", "2", "b");
        }
    }

    private static String digest(TableStore store, int shards) {
        try (Keyspace keyspace = open(store, shards);
                UnitOfWork unit = keyspace.newUnit()) {
            assertThat(RedisIntegrity.verify(keyspace, Progress.NONE).findings())
                    .isEmpty();
            unit.begin(CLOCK.millis(), false);
            return new Digests().ofEverything(unit, DATABASES);
        }
    }

    private static List<String> tables(TableStore store) {
        List<String> names = new ArrayList<>();
        store.tables().forEach(table -> names.add(table.name().name()));
        names.removeIf(name -> !name.startsWith("keys") && !name.startsWith("elements"));
        return names;
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "0, 7", "7, 0", "3, 8", "8, 3", "4, 100", "1, 0"})
    void allKeysAreFoundInTheirNewShards(int from, int to) {
        try (TableStore store = new MemoryStore()) {
            fill(store, from);
            String before = digest(store, from);
            Resharding.Outcome outcome = Resharding.run(store, to, Progress.NONE);
            assertThat(outcome.from()).isEqualTo(from);
            assertThat(outcome.moved()).isPositive();
            assertThat(digest(store, to)).isEqualTo(before);
            assertThat(tables(store)).hasSize(2 * Math.max(1, to));
            assertThatThrownBy(() -> open(store, from)).hasMessageContaining("another number of shards");
            assertThat(Resharding.run(store, to, Progress.NONE).rows()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 3", "4, 2", "2, 5"})
    void anInterruptedRunContinues(int from, int to) {
        boolean isDone = false;
        for (int attempt = 1; !isDone; attempt += 1 + attempt / 10) {
            try (TableStore store = new MemoryStore()) {
                fill(store, from);
                String before = digest(store, from);
                isDone = !isInterrupted(new FaultyStore(store, FaultPlan.at(attempt)), to);
                Resharding.run(store, to, Progress.NONE);
                assertThat(digest(store, to))
                        .as("interrupted at call %d", attempt)
                        .isEqualTo(before);
            }
        }
    }

    private static boolean isInterrupted(TableStore store, int shards) {
        try {
            Resharding.run(store, shards, Progress.NONE);
            return false;
        } catch (StoreException interrupted) {
            return true;
        }
    }

    @Test
    void aStoreInBetweenServesNobody() {
        try (TableStore store = new MemoryStore()) {
            fill(store, 0);
            int calls = 0;
            while (Resharding.interrupted(store).isEmpty()) {
                assertThat(isInterrupted(new FaultyStore(store, FaultPlan.at(++calls)), 3))
                        .isTrue();
            }
            assertThat(Resharding.interrupted(store)).contains(3);
            for (int shards : List.of(0, 3)) {
                assertThatThrownBy(() -> open(store, shards)).hasMessageContaining("polytable reshard");
            }
            assertThatThrownBy(() -> Resharding.run(store, 5, Progress.NONE))
                    .hasMessageContaining("must be finished first");
        }
    }

    /** More than one commit holds; its elements are copied before it moves. */
    @Test
    void aLargeCollectionMovesWhole() {
        try (TableStore store = new MemoryStore()) {
            try (Keyspace keyspace = open(store, 0)) {
                RedisInProcess redis = new RedisInProcess(CLOCK, keyspace);
                for (int i = 0; i < 90; i++) {
                    redis.run("hset", "large", "field " + i, "x".repeat(100_000));
                }
                redis.run("set", "after", "1");
            }
            String before = digest(store, 0);
            for (int attempt = 1; isInterrupted(new FaultyStore(store, FaultPlan.at(attempt)), 2); attempt += 3) {
                assertThat(store.tables()).isNotEmpty();
            }
            assertThat(digest(store, 2)).isEqualTo(before);
        }
    }
}
