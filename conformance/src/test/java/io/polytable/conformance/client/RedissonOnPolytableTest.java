package io.polytable.conformance.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.conformance.process.Target;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;

class RedissonOnPolytableTest extends RedissonSuite {
    RedissonOnPolytableTest() {
        super(Target.POLYTABLE);
    }

    static Stream<Named<Consumer<RedissonClient>>> scripts() {
        return Stream.of(
                script("lock", client -> client.getLock("x").lock()),
                script("fair lock", client -> client.getFairLock("x").lock()),
                script(
                        "read lock",
                        client -> client.getReadWriteLock("x").readLock().lock()),
                script("semaphore", client -> client.getSemaphore("x").trySetPermits(1)),
                script("latch", client -> client.getCountDownLatch("x").trySetCount(1)),
                script(
                        "rate limiter",
                        client -> client.getRateLimiter("x").trySetRate(RateType.OVERALL, 1, Duration.ofSeconds(1))),
                script("map cache", client -> client.getMapCache("x").put("k", "v", 1, TimeUnit.MINUTES)),
                script("set cache", client -> client.getSetCache("x").add("v", 1, TimeUnit.MINUTES)),
                script(
                        "poll of a scored set",
                        client -> client.getScoredSortedSet("x").pollFirst()),
                script("map's iteration", client -> client.getMap("x").keySet().forEach(key -> {})),
                script("map's put", client -> client.getMap("x").put("k", "v")),
                script("compare and set", client -> client.getBucket("x").compareAndSet("a", "b")));
    }

    private static Named<Consumer<RedissonClient>> script(String name, Consumer<RedissonClient> use) {
        return Named.of(name, use);
    }

    /** Calls that need EVAL end with an error that names it: no hang, no retry. */
    @ParameterizedTest
    @MethodSource("scripts")
    void scriptsAreRefusedByName(Consumer<RedissonClient> use) {
        assertThatThrownBy(() -> use.accept(client()))
                .isInstanceOf(RedisException.class)
                .hasMessageMatching("(?s).*ERR (EVAL(SHA)?(_RO)?|SCRIPT LOAD) is not supported by this server yet.*");
    }
}
