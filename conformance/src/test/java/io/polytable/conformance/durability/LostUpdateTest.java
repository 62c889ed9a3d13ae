package io.polytable.conformance.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.process.OnSharedServers;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.process.SharedServers;
import io.polytable.conformance.process.Target;
import io.polytable.conformance.resp.Answer;
import io.polytable.conformance.resp.RespConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many connections increment the same keys: the sums are exact, and so is each intermediate reply. */
@OnSharedServers
class LostUpdateTest {
    private static final int CONNECTIONS = 6;
    private static final int ROUNDS = 60;
    private static final int PIPELINE = 20;

    @ParameterizedTest
    @EnumSource(
            value = Target.class,
            names = {"POLYTABLE", "POLYTABLE_SHARDED"})
    void nothingAddedIsLost(Target target, SharedServers servers) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        RespServer server = servers.of(target);
        try (RespConnection reader = server.connect()) {
            List<Future<List<Long>>> adding = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                adding.add(threads.submit(() -> add(server)));
            }
            List<Long> counts = new ArrayList<>();
            for (Future<List<Long>> one : adding) {
                counts.addAll(one.get(60, TimeUnit.SECONDS));
            }
            int total = CONNECTIONS * ROUNDS * PIPELINE;
            assertThat(counts).doesNotHaveDuplicates().hasSize(total).contains(1L, (long) total);
            String sum = Integer.toString(total);
            assertThat(reader.call("GET", "counter").tree().text()).isEqualTo(sum);
            assertThat(reader.call("HGET", "hash", "field").tree().text()).isEqualTo(sum);
            assertThat(reader.call("ZSCORE", "zset", "member").tree().text()).isEqualTo(sum);
            assertThat(reader.call("STRLEN", "text").tree().number()).isEqualTo(total);
            assertThat(reader.call("HLEN", "fields").tree().number()).isEqualTo(total);
            assertThat(reader.call("ZCARD", "members").tree().number()).isEqualTo(total);
            assertThat(reader.call("ZRANGE", "members", "0", "-1").tree().items())
                    .hasSize(total);
        } finally {
            threads.shutdownNow();
        }
    }

    /** The replies of INCR; no two connections may see the same. */
    private static List<Long> add(RespServer server) {
        List<Long> counts = new ArrayList<>();
        try (RespConnection connection = server.connect()) {
            String id = connection.call("CLIENT", "ID").tree().text();
            for (int round = 0; round < ROUNDS; round++) {
                List<List<String>> commands = new ArrayList<>();
                for (int i = 0; i < PIPELINE; i++) {
                    String name = id + ":" + round + ":" + i;
                    commands.add(List.of("INCR", "counter"));
                    commands.add(List.of("HINCRBY", "hash", "field", "1"));
                    commands.add(List.of("ZINCRBY", "zset", "1", "member"));
                    commands.add(List.of("APPEND", "text", "x"));
                    commands.add(List.of("HSET", "fields", name, "v"));
                    commands.add(List.of("ZADD", "members", Integer.toString(i), name));
                }
                List<Answer> answers = connection.pipeline(commands);
                for (int i = 0; i < answers.size(); i += 6) {
                    counts.add(answers.get(i).tree().number());
                }
            }
        }
        return counts;
    }
}
