package io.polytable.server.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.server.assembly.Assembly;
import io.polytable.server.cli.PolytableCommand;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.run.Server;
import io.polytable.store.fluss.TestCluster;
import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole server with its log and its readable tables in a real cluster. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ServedTablesTest {
    private static final String DATABASE = "served_tables";

    @TempDir
    Path directory;

    private Server start(String... more) {
        List<String> words = new ArrayList<>(List.of(
                "--data.dir=" + directory,
                "--store.log=fluss",
                "--fluss.bootstrap.servers=" + TestCluster.shared().bootstrapServers(),
                "--fluss.database=" + DATABASE,
                "--fluss.lease.time=2s",
                "--fluss.projection.interval=50ms",
                "--redis.sharding.num.shards=1",
                "--redis.port=0",
                "--hbase.enabled=false",
                "--http.port=0",
                "--memory.rows=32mb",
                "--memory.blocks=128mb"));
        words.addAll(List.of(more));
        return Server.start(ServerCatalog.load(words, Map.of()), Assembly.parts(), () -> {});
    }

    @Test
    void theServerKeepsItsTablesAndRebuildsThem() throws Exception {
        try (FlussReader reader = new FlussReader(TestCluster.shared().bootstrapServers(), DATABASE)) {
            Server first = start();
            ask(first, "SET", "city", "Lisbon");
            ask(first, "ZADD", "board", "3", "carol");
            awaitShown(first);
            assertThat(reader.data()).containsExactly("0 board carol zset 3.0 carol -1", "0 city  string - Lisbon -1");
            reader.plant("redis_shard_00", 0, "nobody wrote this", "");
            assertThat(command("rebuild")).isZero();
            assertThat(reader.data()).hasSize(2);
            assertThat(command("status")).isZero();
            assertThat(command("forget")).isNotZero();
            assertThat(scrape(first, "/health")).isEqualTo("ok\n");
            assertThat(first.stop()).isTrue();
            assertThat(command("rebuild")).as("without a server").isNotZero();

            Server without = start("--fluss.projection.enabled=false");
            ask(without, "DEL", "board");
            assertThat(command("rebuild")).as("without tables").isNotZero();
            assertThat(scrape(without, "/metrics")).doesNotContain("polytable_projection");
            assertThat(without.stop()).isTrue();

            Server again = start();
            ask(again, "SET", "river", "Tagus");
            awaitShown(again);
            assertThat(reader.data()).containsExactly("0 city  string - Lisbon -1", "0 river  string - Tagus -1");
            assertThat(scrape(again, "/metrics"))
                    .as("what happened without the tables is not in their feed any more")
                    .contains("polytable_projection_rebuilds_total 1.0");
            assertThat(again.stop()).isTrue();
        }
    }

    private static void ask(Server server, String... words) throws IOException {
        try (RedisClient client = new RedisClient(server.port("redis"))) {
            assertThat(client.ask(words)).doesNotStartWith("-");
        }
    }

    private static void awaitShown(Server server) {
        Await.until(
                "all commits are shown",
                () -> scrape(server, "/metrics").contains("polytable_projection_lag_records 0.0"));
    }

    private static String scrape(Server server, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + server.httpPort() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
    }

    private int command(String action) {
        return PolytableCommand.run(Assembly.parts(), "projection", action, "--data.dir=" + directory);
    }
}
