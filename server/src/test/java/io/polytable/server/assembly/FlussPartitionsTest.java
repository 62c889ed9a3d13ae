package io.polytable.server.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.setting.Settings;
import io.polytable.server.cli.PolytableCommand;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.projection.RedisClient;
import io.polytable.server.run.DataDirectory;
import io.polytable.server.run.Server;
import io.polytable.store.directory.PartitionDirectories;
import io.polytable.store.engine.Membership;
import io.polytable.store.engine.Recovery;
import io.polytable.store.engine.Tickets;
import io.polytable.store.fluss.FlussLogOptions;
import io.polytable.store.fluss.Move;
import io.polytable.store.fluss.TestCluster;
import io.polytable.table.Stripes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole server with several logs in a real Fluss cluster. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class FlussPartitionsTest {
    private static final String CROSSSLOT = "-CROSSSLOT Keys in request don't hash to the same slot";
    private static final int KEYS = 40;

    /** Slot 15495, in the last of four partitions. */
    private static final String A = "a";

    /** Slot 2515, in the first. */
    private static final String B = "{hash_tag}";

    @TempDir
    Path directory;

    private List<String> words(String... more) {
        List<String> words = new ArrayList<>(List.of(
                "--data.dir=" + directory.resolve("first"),
                "--store.log=fluss",
                "--fluss.bootstrap.servers=" + TestCluster.shared().bootstrapServers(),
                "--fluss.database=four_groups",
                "--fluss.log.groups=4",
                "--fluss.projection.enabled=false",
                "--fluss.lease.time=2s",
                "--redis.port=0",
                "--hbase.enabled=false",
                "--http.port=0",
                "--memory.rows=64mb",
                "--memory.blocks=128mb"));
        words.addAll(List.of(more));
        return words;
    }

    private Server start(String... more) {
        Settings settings = ServerCatalog.load(words(more), Map.of());
        return Server.start(settings, Assembly.parts(), () -> {});
    }

    @Test
    void fourLogsServeAndComeBack() throws IOException {
        Server first = start();
        try (RedisClient client = new RedisClient(first.port("redis"))) {
            write(client);
            assertRefusedAcross(client);
            assertTogetherByHashTag(client);
            assertFlushed(client);
            assertEverything(client);
        }
        assertThat(first.stop()).isTrue();
        assertThatThrownBy(() -> start("--fluss.log.groups=2"))
                .hasMessageContaining("was written with fluss.log.groups=4");
        String elsewhere = "--data.dir=" + directory.resolve("elsewhere");
        assertThatThrownBy(() -> start("--fluss.log.groups=1", elsewhere))
                .hasMessageContaining("another number of partitions");
        for (String disk : List.of("--data.dir=" + directory.resolve("first"), elsewhere)) {
            Server again = start(disk);
            try (RedisClient client = new RedisClient(again.port("redis"))) {
                assertEverything(client);
            }
            assertThat(again.stop()).isTrue();
        }
        assertThat(PolytableCommand.run(Assembly.parts(), checkWords(elsewhere)))
                .isZero();
    }

    @Test
    void fourLogsMoveToFilesAndBack() throws IOException {
        String[] inFluss = {"--fluss.database=four_moved"};
        String[] inFiles = {"--store.log=file", "--redis.sharding.enabled=true", "--redis.sharding.num.shards=16"};
        Server first = start(inFluss);
        try (RedisClient client = new RedisClient(first.port("redis"))) {
            write(client);
        }
        assertThat(first.stop()).isTrue();
        move("file", inFluss);
        assertThatThrownBy(() -> start(inFluss)).hasMessageContaining("has its log in files");
        Server moved = start(inFiles);
        try (RedisClient client = new RedisClient(moved.port("redis"))) {
            assertEverything(client);
            assertThat(client.ask("SET", "k0", "later")).isEqualTo("OK");
        }
        assertThat(moved.stop()).isTrue();
        String[] again = {"--fluss.database=four_moved_again"};
        // A move that was interrupted has taken some partitions there already: the last ones.
        interruptedMove(again);
        move("fluss", again);
        for (String disk : List.of("first", "empty")) {
            Server back = start(again[0], "--data.dir=" + directory.resolve(disk));
            try (RedisClient client = new RedisClient(back.port("redis"))) {
                assertThat(client.ask("GET", "k0")).isEqualTo("later");
                assertThat(client.ask("SET", "k0", "v0")).isEqualTo("OK");
                assertEverything(client);
                assertThat(client.ask("SET", "k0", "later")).isEqualTo("OK");
            }
            assertThat(back.stop()).isTrue();
        }
    }

    /** Takes the last partition only, as a move does that ends after it. */
    private void interruptedMove(String... more) {
        Settings settings = ServerCatalog.load(words(more), Map.of());
        try (DataDirectory data =
                DataDirectory.holdExisting(directory.resolve("first")).orElseThrow()) {
            new Move(
                            PartitionDirectories.of(data.store(), 3),
                            new Membership(3, 4, new Tickets(), new Stripes()),
                            StoreOptions.engine(settings, 4),
                            StoreOpener.settings(settings),
                            FlussLogOptions.of(3))
                    .toFluss(StoreOptions.log(settings), Recovery.Progress.NONE);
        }
    }

    private void move(String to, String... more) {
        List<String> words = new ArrayList<>(List.of("move", "--to", to));
        words.addAll(words(more));
        assertThat(PolytableCommand.run(Assembly.parts(), words.toArray(String[]::new)))
                .isZero();
    }

    private String[] checkWords(String disk) {
        List<String> words = new ArrayList<>(List.of("check"));
        words.addAll(words(disk));
        return words.toArray(String[]::new);
    }

    private static void write(RedisClient client) throws IOException {
        for (int i = 0; i < KEYS; i++) {
            client.send("SET", "k" + i, "v" + i);
            client.send("ZADD", "z" + i, Integer.toString(i), "member");
        }
        for (int i = 0; i < KEYS; i++) {
            assertThat(client.answer()).containsExactly("OK");
            assertThat(client.answer()).containsExactly("1");
        }
    }

    private static void assertRefusedAcross(RedisClient client) throws IOException {
        for (String command :
                List.of("MSET A 1 B 2", "MGET A B", "DEL A B", "RENAME A B", "COPY A B", "ZUNIONSTORE A 1 B")) {
            String[] words = command.split(" ", -1);
            for (int i = 1; i < words.length; i++) {
                words[i] = words[i].equals("A") ? A : words[i].equals("B") ? B : words[i];
            }
            assertThat(client.ask(words)).as(command).isEqualTo(CROSSSLOT);
        }
    }

    private static void assertTogetherByHashTag(RedisClient client) throws IOException {
        assertThat(client.ask("MSET", "{t}a", "1", "{t}b", "2")).isEqualTo("OK");
        assertThat(client.askAll("MGET", "{t}a", "{t}b")).containsExactly("1", "2");
        assertThat(client.ask("RENAME", "{t}a", "{t}c")).isEqualTo("OK");
        assertThat(client.ask("DEL", "{t}b", "{t}c")).isEqualTo("2");
    }

    private static void assertFlushed(RedisClient client) throws IOException {
        assertThat(client.ask("SELECT", "1")).isEqualTo("OK");
        write(client);
        assertThat(client.ask("DBSIZE")).isEqualTo(Integer.toString(2 * KEYS));
        assertThat(client.ask("FLUSHALL")).isEqualTo("OK");
        assertThat(client.ask("DBSIZE")).isEqualTo("0");
        assertThat(client.ask("SELECT", "0")).isEqualTo("OK");
        assertThat(client.ask("DBSIZE")).isEqualTo("0");
        write(client);
    }

    private static void assertEverything(RedisClient client) throws IOException {
        assertThat(client.ask("DBSIZE")).isEqualTo(Integer.toString(2 * KEYS));
        assertThat(client.askAll("KEYS", "*")).hasSize(2 * KEYS);
        assertThat(scan(client)).hasSize(2 * KEYS);
        for (int i = 0; i < KEYS; i++) {
            assertThat(client.ask("GET", "k" + i)).isEqualTo("v" + i);
            assertThat(client.ask("ZSCORE", "z" + i, "member")).isEqualTo(Integer.toString(i));
        }
    }

    private static Set<String> scan(RedisClient client) throws IOException {
        Set<String> found = new TreeSet<>();
        String cursor = "0";
        do {
            List<String> page = client.askAll("SCAN", cursor);
            cursor = page.get(0);
            found.addAll(page.subList(1, page.size()));
        } while (!cursor.equals("0"));
        return found;
    }
}
