package io.polytable.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.key.ComponentType;
import io.polytable.entity.key.FormattedKeys;
import io.polytable.entity.key.KeyComponent;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.uri.StoreKind;
import io.polytable.server.assembly.Assembly;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.projection.RedisClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** EXPORT and IMPORT on a whole server: data of each protocol is exported, deleted and restored. */
@Timeout(180)
class ExportImportTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    private Path directory = Path.of("");

    @SuppressWarnings("NullAway.Init") // before each test
    private Server server;

    @BeforeEach
    void start() {
        List<String> words = List.of(
                "--data.dir=" + directory,
                "--redis.port=0",
                "--hbase.port=0",
                "--hbase.master.port=0",
                "--zookeeper.port=0",
                "--http.port=0",
                "--memory.rows=32mb",
                "--memory.blocks=128mb");
        server = Server.start(ServerCatalog.load(words, Map.of()), Assembly.parts(), () -> {});
    }

    @AfterEach
    void stop() {
        assertThat(server.stop()).isTrue();
    }

    private void sql(String statement) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + server.httpPort() + "/v1/api/sql");
        String body = JSON.writeValueAsString(Map.of("sql", statement));
        String answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(uri)
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString())
                .body();
        JsonNode json = JSON.readTree(answer);
        assertThat(json.path("status").asText()).as("%s: %s", statement, answer).isEqualTo("success");
    }

    private void export(String table) throws IOException, InterruptedException {
        sql("EXPORT TABLE " + table + " TO PARQUET '" + table + ".parquet'");
    }

    private void restore(String table) throws IOException, InterruptedException {
        // Twice: an import is idempotent.
        for (int i = 0; i < 2; i++) {
            sql("IMPORT INTO " + table + " FROM PARQUET '" + table + ".parquet'");
        }
    }

    @Test
    void keysOfRedisComeBack() throws Exception {
        try (RedisClient redis = new RedisClient(server.port("redis"))) {
            redis.ask("SET", "text", "Lisbon");
            redis.ask("SET", "mortal", "x", "PX", "10000000");
            redis.ask("HSET", "hash", "a", "1", "b", "2");
            redis.ask("RPUSH", "list", "x", "y", "x");
            redis.ask("SADD", "set", "m", "n");
            redis.ask("ZADD", "board", "1.5", "ann", "-2", "bob");
            redis.ask("XADD", "events", "5-1", "k", "v");
            redis.ask("XGROUP", "CREATE", "events", "g", "0");
            redis.ask("XREADGROUP", "GROUP", "g", "me", "STREAMS", "events", ">");
            List<String> tables = List.of(
                    "redis_data", "redis_stream_data", "redis_stream_consumer_groups", "redis_stream_pending_entries");
            for (String table : tables) {
                export(table);
            }
            assertThat(redis.ask("FLUSHALL")).isEqualTo("OK");
            redis.ask("CONFIG", "SET", "hash-max-listpack-entries", "1", "set-max-listpack-entries", "1");
            for (String table : tables) {
                restore(table);
            }
            assertThat(redis.ask("GET", "text")).isEqualTo("Lisbon");
            assertThat(Long.parseLong(redis.ask("PTTL", "mortal"))).isBetween(1L, 10_000_000L);
            assertThat(redis.ask("PTTL", "text")).isEqualTo("-1");
            assertThat(redis.askAll("HMGET", "hash", "a", "b")).containsExactly("1", "2");
            assertThat(redis.askAll("LRANGE", "list", "0", "-1")).containsExactly("x", "y", "x");
            assertThat(redis.askAll("SMEMBERS", "set")).containsExactlyInAnyOrder("m", "n");
            assertThat(redis.askAll("ZRANGE", "board", "0", "-1", "WITHSCORES"))
                    .containsExactly("bob", "-2", "ann", "1.5");
            assertThat(redis.ask("XRANGE", "events", "-", "+")).contains("5-1", "k", "v");
            assertThat(redis.ask("XPENDING", "events", "g")).contains("5-1", "me");
            assertThat(redis.ask("OBJECT", "ENCODING", "hash"))
                    .as("as a client's write under these limits")
                    .isEqualTo("hashtable");
            assertThat(redis.ask("OBJECT", "ENCODING", "set")).isEqualTo("hashtable");
        }
    }

    private int zooKeeperPort() {
        Matcher port = Pattern.compile("zookeeper=(\\d+)").matcher(server.readyLine(0));
        assertThat(port.find()).isTrue();
        return Integer.parseInt(port.group(1));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void cellsOfHBaseComeBack() throws Exception {
        org.apache.hadoop.conf.Configuration configuration = HBaseConfiguration.create();
        configuration.set("hbase.zookeeper.quorum", "localhost");
        configuration.setInt("hbase.zookeeper.property.clientPort", zooKeeperPort());
        TableDescriptor users = TableDescriptorBuilder.newBuilder(TableName.valueOf("users"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(bytes("f"))
                        .setMaxVersions(3)
                        .build())
                .build();
        try (Connection hbase = ConnectionFactory.createConnection(configuration);
                Admin admin = hbase.getAdmin();
                Table table = hbase.getTable(users.getTableName())) {
            admin.createTable(users);
            Put put = new Put(bytes("ann"));
            for (long version = 5; version < 8; version++) {
                put.addColumn(bytes("f"), bytes("q"), version, new byte[] {0, (byte) version, -1});
            }
            table.put(put);
            export("users_cells");
            admin.disableTable(users.getTableName());
            admin.deleteTable(users.getTableName());
            admin.createTable(users);
            restore("users_cells");
            Result found = table.get(new Get(bytes("ann")).readAllVersions());
            assertThat(found.listCells()).hasSize(3);
            assertThat(found.rawCells()[0].getTimestamp()).isEqualTo(7);
            assertThat(found.value()).containsExactly(0, 7, -1);
        }
    }

    @Test
    void entitiesComeBack() throws Exception {
        EntityUri uri = EntityUri.remote(StoreKind.SERVER, List.of("127.0.0.1"), server.httpPort())
                .withInstance("demo");
        Entities.install(uri);
        TableLayout layout = TableLayout.of(
                "users",
                FormattedKeys.of(new KeyComponent("id", ComponentType.STRING)),
                LocalityGroup.of(
                                "main",
                                FamilyLayout.group(
                                        "info",
                                        ColumnLayout.of("name", CellSchema.avro("string")),
                                        ColumnLayout.of("visits", CellSchema.counter())),
                                FamilyLayout.map("tags", CellSchema.avro("[\"null\",\"int\"]")))
                        .withMaxVersions(3));
        try (Instance instance = Entities.open(uri)) {
            EntityTable users = instance.createTable(layout);
            users.writer().put(users.id("ann"), "info:name", 5, "\"Ann\"");
            users.writer().put(users.id("ann"), "info:name", 6, "Anna");
            users.writer().put(users.id("ann"), "tags:a", 5, 7);
            users.writer().increment(users.id("ann"), "info:visits", 3);
            export("entity_demo.users_cells");
            TableLayout known = users.layout();
            instance.dropTable("users");
            EntityTable again = instance.createTable(known);
            restore("entity_demo.users_cells");
            var row = again.reader().get(again.id("ann"), DataRequest.of("info:name", "info:visits", "tags:a"));
            assertThat(row.value("info:name", String.class)).hasValue("Anna");
            assertThat(row.value("tags:a", Integer.class)).hasValue(7);
            assertThat(again.writer().increment(again.id("ann"), "info:visits", 4))
                    .isEqualTo(7);
        }
    }
}
