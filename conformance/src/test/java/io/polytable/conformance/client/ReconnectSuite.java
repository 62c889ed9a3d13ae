package io.polytable.conformance.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.process.Target;
import io.polytable.table.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Clients reconnect after a restart of their server, and ours still has its data. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ReconnectSuite {
    private final Target target;
    private RespServer server;

    ReconnectSuite(Target target) {
        this.target = target;
    }

    @BeforeAll
    void start(@TempDir Path directory) {
        server = target.start(directory);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void jedis() {
        try (JedisPooled jedis = new JedisPooled("127.0.0.1", server.port())) {
            jedis.set("j", "before");
            server.restart();
            assertThat(retried(() -> jedis.ping())).isEqualTo("PONG");
            assertThat(retried(() -> Objects.toString(jedis.get("j")))).isEqualTo(kept("before"));
        }
    }

    @Test
    void lettuce() {
        RedisURI uri = RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(server.port())
                .withTimeout(Duration.ofSeconds(30))
                .build();
        RedisClient client = RedisClient.create(uri);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().set("l", "before");
            server.restart();
            assertThat(connection.sync().ping()).isEqualTo("PONG");
            assertThat(Objects.toString(connection.sync().get("l"))).isEqualTo(kept("before"));
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(10));
        }
    }

    private String kept(String value) {
        return target.isOurs() ? value : "null";
    }

    /** A pool may return a connection that broke with the old server; the application must retry. */
    private static String retried(Supplier<String> call) {
        List<String> answers = new ArrayList<>();
        Await.until("the pool recovers", () -> {
            try {
                answers.add(call.get());
                return true;
            } catch (JedisConnectionException broken) {
                return false;
            }
        });
        return answers.get(0);
    }
}
