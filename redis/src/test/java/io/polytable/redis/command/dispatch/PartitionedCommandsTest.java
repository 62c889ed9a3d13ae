package io.polytable.redis.command.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.PlainReply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.hash.HashCommands;
import io.polytable.redis.command.keyspace.DatabaseCommands;
import io.polytable.redis.command.keyspace.KeyCommands;
import io.polytable.redis.command.keyspace.ScanCommands;
import io.polytable.redis.command.string.StringCommands;
import io.polytable.redis.command.zset.SortedSetAlgebraCommands;
import io.polytable.redis.model.hash.Hashes;
import io.polytable.redis.model.hash.RandomFields;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.PartitionLayout;
import io.polytable.redis.model.string.Strings;
import io.polytable.redis.model.zset.SortedSets;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.engine.Recovery;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.store.partition.PartitionedStore;
import io.polytable.store.partition.Partitioning;
import io.polytable.table.Bytes;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands where keys are in several partitions: refused across, as ever within, and over all where no key is named. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PartitionedCommandsTest {
    private static final int PARTITIONS = 4;
    private static final int SHARDS = 8;
    private static final String CROSSSLOT = "error: CROSSSLOT Keys in request don't hash to the same slot";

    private PartitionedStore store;
    private Keyspace keyspace;
    private Dispatcher dispatcher;
    private final Session session = Session.detached();

    @BeforeAll
    void open(@TempDir Path directory) {
        store = EmbeddedStore.openPartitions(
                directory,
                new Partitioning(PARTITIONS, new PartitionLayout(SHARDS, PARTITIONS)::partitionOf),
                EngineOptions.DEFAULT.withMemory(16 << 20, 32 << 20),
                FileLogOptions.defaults().withSegmentBytes(1 << 20),
                Recovery.Progress.NONE);
        keyspace = Keyspace.openSharded(store, SHARDS);
        SortedSets sortedSets = new SortedSets();
        dispatcher = new Dispatcher(
                CommandTable.of(List.of(
                        new KeyCommands(),
                        new ScanCommands(() -> new Random(1)),
                        new DatabaseCommands(),
                        new StringCommands(new Strings()),
                        new HashCommands(new Hashes(), new RandomFields(() -> new Random(1))),
                        new SortedSetAlgebraCommands(sortedSets))),
                keyspace,
                InstantSource.system());
    }

    @AfterEach
    void empty() {
        assertThat(run("FLUSHALL")).isEqualTo("OK");
    }

    @AfterAll
    void close() {
        keyspace.close();
        store.close();
    }

    private Object run(String command) {
        return PlainReply.of(dispatcher.run(session, command.split(" ", -1)), 2);
    }

    private static Bytes text(String text) {
        return Bytes.utf8(text);
    }

    /** A key of each partition. */
    private List<String> keys() {
        Map<Integer, String> byPartition = new HashMap<>();
        for (int i = 0; byPartition.size() < PARTITIONS; i++) {
            byPartition.putIfAbsent(keyspace.partition(text("k" + i)), "k" + i);
        }
        return new ArrayList<>(byPartition.values());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MSET A x B y",
                "MSETNX A x B y",
                "MGET A B",
                "DEL A B",
                "UNLINK A A B",
                "EXISTS A B",
                "TOUCH A B",
                "RENAME A B",
                "RENAMENX A B",
                "COPY A B",
                "LCS A B",
                "ZUNIONSTORE A 1 B",
                "ZUNIONSTORE A 2 A B",
                "ZUNION 2 A B",
                "ZINTERCARD 2 A B"
            })
    void keysOfTwoPartitionsAreRefusedAndNothingHappens(String command) {
        String a = keys().get(0);
        String b = keys().get(1);
        run("SET " + a + " before");
        assertThat(run(command.replace("A", a).replace("B", b).replaceFirst("^\\S+", command.split(" ", -1)[0])))
                .isEqualTo(CROSSSLOT);
        assertThat(run("GET " + a)).isEqualTo(text("before"));
        assertThat(run("GET " + b)).isEqualTo(PlainReply.ABSENT);
        assertThat(run("DBSIZE")).isEqualTo(1L);
    }

    @Test
    void aWrongNumberOfWordsIsSaidFirst() {
        assertThat(run("RENAME a")).isEqualTo("error: ERR wrong number of arguments for 'rename' command");
    }

    @Test
    void aHashTagKeepsKeysTogether() {
        assertThat(run("MSET {t}a 1 {t}b 2 {t}c 3")).isEqualTo("OK");
        assertThat(run("MGET {t}a {t}b")).isEqualTo(List.of(text("1"), text("2")));
        assertThat(run("RENAME {t}a {t}d")).isEqualTo("OK");
        assertThat(run("DEL {t}b {t}c {t}d")).isEqualTo(3L);
    }

    @Test
    void keysOfOnePartitionAreAtomicAcrossItsShards() {
        String a = keys().get(0);
        for (int i = 0; i < 100; i++) {
            String other = "x" + i;
            if (keyspace.partition(text(other)) == keyspace.partition(text(a))) {
                assertThat(run("HSET " + a + " f v")).isEqualTo(1L);
                assertThat(run("RENAME " + a + " " + other)).isEqualTo("OK");
                assertThat(run("HGET " + other + " f")).isEqualTo(text("v"));
                assertThat(run("DEL " + other)).isEqualTo(1L);
            }
        }
    }

    @Test
    void whatNamesNoKeyWorksOverAllPartitions() {
        Set<Object> written = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            run("SET k" + i + " v");
            written.add(text("k" + i));
        }
        assertThat(run("DBSIZE")).isEqualTo(50L);
        assertThat(new HashSet<>((List<?>) run("KEYS *"))).isEqualTo(written);
        assertThat(scan()).isEqualTo(written);
        assertThat(written).contains(run("RANDOMKEY"));
        assertThat(run("SWAPDB 0 5")).isEqualTo("OK");
        assertThat(run("DBSIZE")).isEqualTo(0L);
        assertThat(run("SWAPDB 0 5")).isEqualTo("OK");
        assertThat(run("DBSIZE")).isEqualTo(50L);
        assertThat(run("FLUSHDB")).isEqualTo("OK");
        assertThat(run("DBSIZE")).isEqualTo(0L);
        run("SET k1 v");
        assertThat(run("FLUSHALL")).isEqualTo("OK");
        assertThat(run("GET k1")).isEqualTo(PlainReply.ABSENT);
        assertThat(run("KEYS *")).isEqualTo(List.of());
    }

    private Set<Object> scan() {
        Set<Object> found = new HashSet<>();
        String cursor = "0";
        do {
            List<?> page = (List<?>) run("SCAN " + cursor);
            cursor = ((Bytes) page.get(0)).utf8();
            found.addAll((List<?>) page.get(1));
        } while (!cursor.equals("0"));
        return found;
    }
}
