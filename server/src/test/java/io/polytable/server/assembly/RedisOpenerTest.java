package io.polytable.server.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.net.CannotListenException;
import io.polytable.frontend.net.Network;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.user.Users;
import io.polytable.redis.command.config.ConfigParameter;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.wire.RedisOptions;
import io.polytable.server.config.MemoryShares;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.metrics.Prometheus;
import io.polytable.server.run.Face;
import io.polytable.server.run.Findings;
import io.polytable.server.run.RunningStore;
import io.polytable.table.Limits;
import io.polytable.table.testkit.FreePort;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RedisOpenerTest {
    /** Runs until the JVM ends. */
    private static final Network NETWORK = new Network();

    @TempDir
    private Path directory;

    private final RedisOpener opener = new RedisOpener();
    private int projectionsAsked;

    @Test
    void servesAndCounts() throws IOException {
        try (RunningStore engine = open();
                Face face = opener.open(
                        settings(),
                        MemoryShares.of(settings()),
                        engine,
                        Users.open(engine.store(), new Sessions(), InstantSource.system()),
                        NETWORK,
                        new Sessions(),
                        () -> {});
                Prometheus prometheus = new Prometheus()) {
            prometheus.add(face);
            converse(
                    face,
                    "SET k v\r\nGET k\r\nGET\r\n",
                    "+OK\r\n$1\r\nv\r\n-ERR wrong number of arguments for 'get' command\r\n");
            assertThat(prometheus.scrape())
                    .contains(
                            "polytable_redis_command_seconds_count{command=\"set\"} 1\n",
                            "polytable_redis_commands_rejected_total{command=\"get\"} 1.0\n",
                            "polytable_redis_errors_total{code=\"ERR\"} 1.0\n",
                            "polytable_redis_connections_accepted_total 1.0\n");
        }
        try (RunningStore engine = open()) {
            assertThat(opener.check(engine.store(), settings()))
                    .isEqualTo(new Findings("Checked 1 Redis keys", List.of()));
        }
    }

    @Test
    void aCheckGoesByTheShardsThatWereWritten() throws IOException {
        try (RunningStore engine = open();
                Face face = opener.open(
                        settings("--redis.sharding.enabled"),
                        MemoryShares.of(settings()),
                        engine,
                        Users.open(engine.store(), new Sessions(), InstantSource.system()),
                        NETWORK,
                        new Sessions(),
                        () -> {})) {
            converse(face, "MSET a 1 b 2 c 3\r\n", "+OK\r\n");
        }
        try (RunningStore engine = open()) {
            assertThat(opener.check(engine.store(), settings()))
                    .isEqualTo(new Findings("Checked 3 Redis keys", List.of()));
        }
    }

    @Test
    void aCheckBeforeTheFirstUseWritesNothing() {
        try (RunningStore engine = open()) {
            assertThat(opener.check(engine.store(), settings()))
                    .isEqualTo(new Findings("No Redis keys are stored", List.of()));
            assertThat(engine.store().tables()).isEmpty();
        }
    }

    @Test
    void aTakenPortIsSaid() throws IOException {
        try (RunningStore engine = open();
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> opener.open(
                            settings("--redis.port=" + taken.getLocalPort()),
                            MemoryShares.of(settings()),
                            engine,
                            Users.open(engine.store(), new Sessions(), InstantSource.system()),
                            NETWORK,
                            new Sessions(),
                            () -> {}))
                    .isInstanceOf(CannotListenException.class)
                    .hasMessageContaining("Address already in use");
        }
    }

    @Test
    void aStartThatFailsLateDoesNotKeepThePort() throws IOException {
        int port = FreePort.find();
        try (RunningStore engine = open()) {
            RunningStore unprojectable = (RunningStore) Proxy.newProxyInstance(
                    RunningStore.class.getClassLoader(), new Class<?>[] {RunningStore.class}, (self, method, words) -> {
                        // The first call is for the frontend, the second one starts the projection.
                        if (method.getName().equals("projection") && projectionsAsked++ > 0) {
                            throw new IllegalStateException("no projection");
                        }
                        return method.invoke(engine, words);
                    });
            assertThatThrownBy(() -> opener.open(
                            settings("--redis.port=" + port),
                            MemoryShares.of(settings()),
                            unprojectable,
                            Users.open(engine.store(), new Sessions(), InstantSource.system()),
                            NETWORK,
                            new Sessions(),
                            () -> {}))
                    .hasMessage("no projection");
            opener.open(
                            settings("--redis.port=" + port),
                            MemoryShares.of(settings()),
                            engine,
                            Users.open(engine.store(), new Sessions(), InstantSource.system()),
                            NETWORK,
                            new Sessions(),
                            () -> {})
                    .close();
        }
    }

    @Test
    void speaksOfItsSettingsInRedisWords() {
        RedisOptions options = RedisOpener.options(settings(
                "--redis.port=7000",
                "--redis.threads=3",
                "--redis.sharding.enabled",
                "--redis.timeout=5m",
                "--redis.requirepass=secret",
                "--store.durability=os"));
        assertThat(options.port()).isEqualTo(7000);
        assertThat(options.threads()).isEqualTo(3);
        assertThat(options.shards()).isEqualTo(16);
        RedisConfig config = new RedisConfig(options.settings());
        options.descriptions().forEach(config::describe);
        assertThat(config.all())
                .hasEntrySatisfying("timeout", shows("300"))
                .hasEntrySatisfying("requirepass", shows("secret"))
                .hasEntrySatisfying("appendfsync", shows("no"))
                .hasEntrySatisfying("databases", shows("16"))
                .hasEntrySatisfying("proto-max-bulk-len", shows(Long.toString(Limits.STRING_BYTES_MAX)))
                .hasEntrySatisfying(
                        "client-output-buffer-limit",
                        shows("normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60"));
    }

    private static Consumer<ConfigParameter> shows(String text) {
        return parameter -> assertThat(parameter.text()).isEqualTo(text);
    }

    private RunningStore open() {
        return new StoreOpener().open(directory, settings());
    }

    private static void converse(Face face, String commands, String replies) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), face.port())) {
            socket.getOutputStream().write(commands.getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(replies.length());
            assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo(replies);
        }
    }

    private static Settings settings(String... more) {
        List<String> words = new ArrayList<>(List.of("--redis.port=0", "--memory.rows=32mb", "--memory.blocks=128mb"));
        words.addAll(List.of(more));
        return ServerCatalog.load(words, Map.of());
    }
}
