package io.polytable.entity.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.BloomType;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.CompressionType;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.request.ColumnRequest;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.uri.EntityUri;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a person sees in cqlsh, and what Cassandra is told of a layout. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CassandraTablesTest {
    private static final String LONG_NAME =
            "Long" + "x".repeat(60) + ProcessHandle.current().pid();

    private final EntityUri uri = CassandraNode.uri().withInstance(LONG_NAME);
    private CqlSession cql;
    private Instance instance;
    private EntityTable table;

    @BeforeAll
    void install() {
        Entities.install(uri, Map.of("replication", "datacenter1:1"));
        instance = Entities.open(uri);
        FamilyLayout info = FamilyLayout.group("Info", ColumnLayout.of("name", CellSchema.avro("string")));
        table = instance.createTable(TableLayout.of(
                "People",
                new KeyFormat.Raw(),
                LocalityGroup.of("many", info)
                        .withMaxVersions(2)
                        .withTtlSeconds(86_400)
                        .withStorage(true, BloomType.ROW, CompressionType.ZSTD, 0)
                        .withOption("compaction", "LeveledCompactionStrategy"),
                LocalityGroup.of("one", FamilyLayout.map("last", CellSchema.json()))));
        cql = CqlSession.builder()
                .addContactPoint(new InetSocketAddress(uri.hosts().get(0), uri.portOrDefault()))
                .withLocalDatacenter("datacenter1")
                .build();
    }

    @AfterAll
    void uninstall() {
        cql.close();
        instance.close();
        Entities.uninstall(uri);
    }

    @Test
    void namesAreReadableAndWithinTheLimit() {
        String keyspace = Names.keyspace(LONG_NAME);
        assertThat(keyspace).startsWith("pt_Longxxx").hasSizeLessThanOrEqualTo(48);
        assertThat(Entities.instances(uri)).contains(LONG_NAME);
        List<Row> tables = cql.execute("SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?", keyspace)
                .all();
        assertThat(tables)
                .extracting(row -> row.getString(0))
                .containsExactlyInAnyOrder("People_many", "People_one", "polytable_records");
        table.writer().put(table.id("ada"), "Info:name", 7_000_000_000_000L, "Ada");
        Row row = cql.execute("SELECT * FROM \"" + keyspace + "\".\"People_many\"")
                .one();
        assertThat(row).isNotNull();
        assertThat(row.getString("family")).isEqualTo("Info");
        assertThat(row.getString("qualifier")).isEqualTo("name");
        assertThat(row.getLong("time")).isEqualTo(7_000_000_000_000L);
        assertThat(Names.table("a", "b_c")).isNotEqualTo(Names.table("a_b", "c"));
    }

    @Test
    void propertiesComeFromTheLayout() {
        Row many = properties("People_many");
        assertThat(many.getInt("default_time_to_live")).isEqualTo(86_400);
        assertThat(many.getDouble("bloom_filter_fp_chance")).isEqualTo(0.01);
        assertThat(many.getMap("compression", String.class, String.class).get("class"))
                .contains("Zstd");
        assertThat(many.getMap("compaction", String.class, String.class).get("class"))
                .contains("Leveled");
        assertThat(many.getMap("caching", String.class, String.class)).containsEntry("rows_per_partition", "ALL");
        List<Row> key = cql.execute(
                        "SELECT column_name, kind FROM system_schema.columns WHERE keyspace_name = ? AND table_name = ?",
                        Names.keyspace(LONG_NAME),
                        "People_one")
                .all();
        assertThat(key).as("one version needs no time in its key").anySatisfy(row -> {
            assertThat(row.getString(0)).isEqualTo("time");
            assertThat(row.getString(1)).isEqualTo("regular");
        });
        TableLayout update = table.layout().toUpdate();
        instance.updateLayout(update.withGroups(List.of(
                update.groups().get(0).withTtlSeconds(3600), update.groups().get(1))));
        assertThat(properties("People_many").getInt("default_time_to_live")).isEqualTo(3600);
        TableLayout more = table.layout().toUpdate();
        assertRefused(
                EntityError.NOT_CAPABLE,
                () -> instance.updateLayout(more.withGroups(
                        List.of(more.groups().get(0), more.groups().get(1).withMaxVersions(3)))));
    }

    private Row properties(String name) {
        Row row = cql.execute(
                        "SELECT * FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?",
                        Names.keyspace(LONG_NAME),
                        name)
                .one();
        assertThat(row).isNotNull();
        return row;
    }

    @Test
    void versionsBeyondTheMaximumLeaveTheStorage() throws InterruptedException {
        EntityId id = table.id("versions");
        long base = System.currentTimeMillis();
        for (int i = 0; i < 6; i++) {
            table.writer().put(id, "Info:name", base + i, "v" + i);
        }
        DataRequest all = DataRequest.of(ColumnRequest.of("Info:name").allVersions());
        assertThat(table.reader().get(id, all).timestamps("Info:name")).containsExactly(base + 5, base + 4);
        String count = "SELECT count(*) FROM \"" + Names.keyspace(LONG_NAME) + "\".\"People_many\" WHERE key = ?";
        for (int tries = 0; stored(count, id) > 2 && tries < 100; tries++) {
            Thread.sleep(100);
        }
        assertThat(stored(count, id)).isEqualTo(2);
    }

    private long stored(String count, EntityId id) {
        Row row = cql.execute(count, Blobs.of(id.rowKey())).one();
        return row == null ? -1 : row.getLong(0);
    }

    @Test
    void whatCannotBeReachedOrUnderstoodIsSaid() {
        EntityUri nobody = EntityUri.parse("polytable-cassandra://127.0.0.1:1/x");
        assertRefused(EntityError.UNREACHABLE, () -> Entities.open(nobody));
        EntityUri odd = CassandraNode.uri().withInstance("odd").withOption("consistency", "MOST");
        assertRefused(EntityError.BAD_REQUEST, () -> Entities.open(odd));
        assertRefused(
                EntityError.BAD_REQUEST, () -> Entities.install(uri.withInstance("odd"), Map.of("replication", "x")));
    }

    private static void assertRefused(EntityError error, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        EntityException.class, e -> assertThat(e.error()).isEqualTo(error));
    }
}
