package io.polytable.conformance.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.process.OnSharedServers;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.process.SharedServers;
import io.polytable.conformance.process.Target;
import io.polytable.conformance.resp.RespConnection;
import io.polytable.table.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What each eviction policy protects, on our server and on the reference. Which keys go is chance in both, and one counts
 * data, the other memory: so the same statements about the remaining keys must hold.
 */
@OnSharedServers
class EvictionPolicyTest {
    private static final int KEYS = 1000;
    private static final String VALUE = "x".repeat(1000);

    private SharedServers servers;

    @BeforeAll
    void start(SharedServers shared) {
        servers = shared;
    }

    @ParameterizedTest
    @CsvSource({
        "allkeys-lru, POLYTABLE",
        "allkeys-lru, REFERENCE",
        "allkeys-lfu, POLYTABLE",
        "allkeys-lfu, REFERENCE",
        "allkeys-random, POLYTABLE",
        "allkeys-random, REFERENCE",
        "volatile-lru, POLYTABLE",
        "volatile-lru, REFERENCE",
        "volatile-lfu, POLYTABLE",
        "volatile-lfu, REFERENCE",
        "volatile-random, POLYTABLE",
        "volatile-random, REFERENCE",
        "volatile-ttl, POLYTABLE",
        "volatile-ttl, REFERENCE"
    })
    void keepsWhatThePolicyProtects(String policy, Target target) {
        RespServer server = servers.of(target);
        try (RespConnection redis = server.connect()) {
            try {
                fill(redis, policy);
                shrink(redis, target);
                assertKept(remaining(redis), policy);
            } finally {
                redis.call("CONFIG", "SET", "maxmemory", "0", "maxmemory-policy", "noeviction");
                redis.call("FLUSHALL");
            }
        }
    }

    /** Every tenth key is used often, and last; every second one has a deadline. */
    private static void fill(RespConnection redis, String policy) {
        redis.call("CONFIG", "SET", "maxmemory-policy", policy);
        redis.call("FLUSHALL");
        redis.call("CONFIG", "RESETSTAT");
        List<List<String>> writes = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            writes.add(
                    isBrief(i)
                            ? List.of("SET", "k" + i, VALUE, "EX", Integer.toString(10_000 + i))
                            : List.of("SET", "k" + i, VALUE));
        }
        redis.pipeline(writes);
        if (policy.endsWith("lru")) {
            // The clock of both counts seconds.
            Await.until(
                    "keys are idle",
                    () -> !List.of(":0", ":1")
                            .contains(redis.call("OBJECT", "IDLETIME", "k1")
                                    .bytes()
                                    .strip()));
        }
        List<List<String>> reads = new ArrayList<>();
        for (int round = 0; round < 50; round++) {
            IntStream.range(0, KEYS).filter(EvictionPolicyTest::isHot).forEach(i -> reads.add(List.of("GET", "k" + i)));
        }
        redis.pipeline(reads);
    }

    private static boolean isBrief(int i) {
        return i % 2 == 0;
    }

    private static boolean isHot(int i) {
        return i % 10 == 0;
    }

    /** Leaves space for about three quarters. */
    private static void shrink(RespConnection redis, Target target) {
        long excess = (long) KEYS * VALUE.length() / 4;
        long limit = target == Target.REFERENCE
                ? number(redis, "memory", "used_memory") - excess
                : (long) KEYS * VALUE.length() - excess;
        redis.call("CONFIG", "SET", "maxmemory", Long.toString(limit));
        Await.until("a quarter is evicted", () -> {
            redis.call("SET", "trigger", "x", "EX", "100000");
            return number(redis, "stats", "evicted_keys") >= KEYS / 5;
        });
    }

    private static long number(RespConnection redis, String section, String name) {
        return redis.call("INFO", section)
                .tree()
                .text()
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(
                        line -> Long.parseLong(line.substring(name.length() + 1).strip()))
                .findFirst()
                .orElseThrow();
    }

    private static boolean[] remaining(RespConnection redis) {
        boolean[] kept = new boolean[KEYS];
        for (int i = 0; i < KEYS; i++) {
            kept[i] = redis.call("EXISTS", "k" + i).bytes().strip().equals(":1");
        }
        return kept;
    }

    private static void assertKept(boolean[] kept, String policy) {
        long gone = KEYS - count(kept, i -> true);
        assertThat(gone).isBetween((long) KEYS / 5 - 1, (long) KEYS * 2 / 5);
        if (policy.startsWith("volatile")) {
            assertThat(count(kept, i -> !isBrief(i))).isEqualTo(KEYS / 2);
        }
        if (policy.endsWith("lru") || policy.endsWith("lfu")) {
            assertThat(count(kept, EvictionPolicyTest::isHot)).isGreaterThanOrEqualTo(KEYS / 10 * 9 / 10);
        }
        if (policy.endsWith("ttl")) {
            // The half with the earlier deadlines loses more.
            assertThat(count(kept, i -> isBrief(i) && i < KEYS / 2))
                    .isLessThan(count(kept, i -> isBrief(i) && i >= KEYS / 2));
        }
    }

    private static long count(boolean[] kept, IntPredicate which) {
        return IntStream.range(0, KEYS).filter(i -> kept[i] && which.test(i)).count();
    }
}
