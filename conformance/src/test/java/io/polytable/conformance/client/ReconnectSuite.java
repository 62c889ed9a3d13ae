package io.polytable.conformance.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.polytable.conformance.process.Pause;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.process.Target;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Clients reconnect after a restart of their server, and ours still has its data. */
abstract class ReconnectSuite {
    private static final int TRIES = 200;

    private final Target target;

    ReconnectSuite(Target target) {
        this.target = target;
    }

    @Test
    void jedis(@TempDir Path directory) {
        try (RespServer server = target.start(directory);
                JedisPooled jedis = new JedisPooled("127.0.0.1", server.port())) {
            jedis.set("k", "before");
            server.restart();
            assertThat(retried(() -> jedis.ping())).isEqualTo("PONG");
            assertThat(retried(() -> Objects.toString(jedis.get("k")))).isEqualTo(kept("before"));
        }
    }

    @Test
    void lettuce(@TempDir Path directory) {
        try (RespServer server = target.start(directory)) {
            RedisURI uri = RedisURI.builder()
                    .withHost("127.0.0.1")
                    .withPort(server.port())
                    .withTimeout(Duration.ofSeconds(30))
                    .build();
            RedisClient client = RedisClient.create(uri);
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                connection.sync().set("k", "before");
                server.restart();
                assertThat(connection.sync().ping()).isEqualTo("PONG");
                assertThat(Objects.toString(connection.sync().get("k"))).isEqualTo(kept("before"));
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(10));
            }
        }
    }

    private String kept(String value) {
        return target.isOurs() ? value : "null";
    }

    /** A pool may return a connection that broke with the old server; the application has to retry. */
    private static String retried(Supplier<String> call) {
        JedisConnectionException last = null;
        for (int i = 0; i < TRIES; i++) {
            try {
                return call.get();
            } catch (JedisConnectionException e) {
                last = e;
                Pause.millis(20);
            }
        }
        throw new AssertionError("The pool did not recover", last);
    }
}
