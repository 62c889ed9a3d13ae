package io.polytable.server.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.Findings;
import io.polytable.frontend.Frontend;
import io.polytable.frontend.Progress;
import io.polytable.frontend.net.CannotListenException;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.view.Followers;
import io.polytable.redis.RedisOpener;
import io.polytable.redis.command.config.ConfigParameter;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.wire.RedisOptions;
import io.polytable.server.config.Frontends;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.metrics.Prometheus;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RedisOpenerTest {
    @TempDir
    private Path directory;

    private final RedisOpener opener = Frontends.redis();

    @Test
    void servesAndCounts() throws IOException {
        try (RunningStore engine = open();
                Frontend frontend = opener.open(OpenedFrontends.context(settings(), engine));
                Prometheus prometheus = new Prometheus()) {
            prometheus.add(frontend);
            converse(
                    frontend,
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
            assertThat(opener.verify(engine.store(), settings(), false, Progress.NONE))
                    .contains(new Findings("Checked 1 Redis keys", List.of()));
        }
    }

    @Test
    void aCheckGoesByTheShardsThatWereWritten() throws IOException {
        try (RunningStore engine = open();
                Frontend frontend =
                        opener.open(OpenedFrontends.context(settings("--redis.sharding.enabled"), engine))) {
            converse(frontend, "MSET a 1 b 2 c 3\r\n", "+OK\r\n");
        }
        try (RunningStore engine = open()) {
            assertThat(opener.verify(engine.store(), settings(), false, Progress.NONE))
                    .contains(new Findings("Checked 3 Redis keys", List.of()));
        }
    }

    @Test
    void aCheckBeforeTheFirstUseWritesNothing() {
        try (RunningStore engine = open()) {
            assertThat(opener.verify(engine.store(), settings(), false, Progress.NONE))
                    .contains(new Findings("No Redis keys are stored", List.of()));
            assertThat(engine.store().tables()).isEmpty();
        }
    }

    @Test
    void aTakenPortIsSaid() throws IOException {
        try (RunningStore engine = open();
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> opener.open(
                            OpenedFrontends.context(settings("--redis.port=" + taken.getLocalPort()), engine)))
                    .isInstanceOf(CannotListenException.class)
                    .hasMessageContaining("Address already in use");
        }
    }

    @Test
    void aStartThatFailsLateDoesNotKeepThePort() throws IOException {
        int port = FreePort.find();
        try (RunningStore engine = open()) {
            Followers failing = (Followers) Proxy.newProxyInstance(
                    Followers.class.getClassLoader(), new Class<?>[] {Followers.class}, (self, method, words) -> {
                        if (method.getName().equals("start")) {
                            throw new IllegalStateException("no projection");
                        }
                        return method.invoke(engine.projection(), words);
                    });
            assertThatThrownBy(() ->
                            opener.open(OpenedFrontends.context(settings("--redis.port=" + port), engine, failing)))
                    .hasMessage("no projection");
            opener.open(OpenedFrontends.context(settings("--redis.port=" + port), engine))
                    .close();
        }
    }

    @Test
    void speaksOfItsSettingsInRedisWords() {
        Settings settings = settings(
                "--redis.port=7000",
                "--redis.threads=3",
                "--redis.sharding.enabled",
                "--redis.timeout=5m",
                "--redis.requirepass=secret",
                "--store.durability=os");
        RedisOptions options = opener.options(settings, InetAddress.getLoopbackAddress());
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

    private static void converse(Frontend frontend, String commands, String replies) throws IOException {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), frontend.ports().get(0).number())) {
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
