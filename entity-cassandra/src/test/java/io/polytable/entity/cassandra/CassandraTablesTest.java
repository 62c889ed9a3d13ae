package io.polytable.entity.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.cassandra.cluster.Blobs;
import io.polytable.entity.cassandra.cluster.Names;
import io.polytable.entity.cassandra.group.GroupTable;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.BloomType;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.CompressionType;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.meta.MetadataBackup;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.read.EntityRow;
import io.polytable.entity.read.RowScanner;
import io.polytable.entity.request.ColumnRequest;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.uri.EntityUri;
import io.polytable.table.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The CQL tables of a layout, as seen in cqlsh. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CassandraTablesTest {
    private static final String LONG_NAME =
            "Long" + "x".repeat(60) + ProcessHandle.current().pid();

    private final EntityUri uri = CassandraNode.instance(LONG_NAME);
    private final CqlSession cql = CassandraNode.cql();
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
                        .withOption("compaction", "LeveledCompactionStrategy,sstable_size_in_mb=80")
                        .withOption("gc_grace_seconds", "3600")
                        .withOption("cached_rows", "10"),
                LocalityGroup.of("one", FamilyLayout.map("last", CellSchema.json()))));
    }

    @AfterAll
    void uninstall() {
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
                .filteredOn(name -> !"Ttl_g".equals(name) && !"Left_g".equals(name))
                .containsExactlyInAnyOrder("People_many", "People_one", "polytable_records");
        table.writer().put(table.id("ada"), "Info:name", 7_000_000_000_000L, "Ada");
        Row row = cql.execute("SELECT * FROM \"" + keyspace + "\".\"People_many\" WHERE key = 0x616461")
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
        assertThat(many.getMap("compaction", String.class, String.class)).containsEntry("sstable_size_in_mb", "80");
        assertThat(many.getInt("gc_grace_seconds")).isEqualTo(3600);
        assertThat(many.getMap("caching", String.class, String.class)).containsEntry("rows_per_partition", "10");
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
        TableLayout refused = more.withGroups(List.of(
                more.groups().get(0).withTtlSeconds(60), more.groups().get(1).withMaxVersions(3)));
        assertRefused(EntityError.NOT_CAPABLE, () -> instance.tryLayout(refused));
        assertRefused(EntityError.NOT_CAPABLE, () -> instance.updateLayout(refused));
        assertThat(properties("People_many").getInt("default_time_to_live"))
                .as("nothing of a refused update is done")
                .isEqualTo(3600);
    }

    /** It altered the table and was interrupted before it wrote the record. */
    @Test
    void aTableThatAProgramLeftInTheMidstOfAnUpdateIsAlteredAgain() {
        LocalityGroup group =
                LocalityGroup.of("g", FamilyLayout.map("f", CellSchema.json())).withTtlSeconds(7200);
        instance.createTable(TableLayout.of("Left", new KeyFormat.Raw(), group));
        String keyspace = "\"" + Names.keyspace(LONG_NAME) + "\"";
        cql.execute("ALTER TABLE " + keyspace + ".\"Left_g\" WITH default_time_to_live = 60");
        String records = keyspace + ".polytable_records";
        Row record = cql.execute("SELECT key, value FROM " + records + " WHERE part = 'records'").all().stream()
                .filter(row -> String.valueOf(row.getString("key")).startsWith("cql/Left/g"))
                .findFirst()
                .orElseThrow();
        cql.execute(
                "UPDATE " + records + " SET value = ? WHERE part = 'records' AND key = ? IF EXISTS",
                GroupTable.altering(String.valueOf(record.getString("value"))),
                record.getString("key"));
        instance.updateLayout(instance.table("Left").layout().toUpdate());
        assertThat(properties("Left_g").getInt("default_time_to_live")).isEqualTo(7200);
        instance.dropTable("Left");
    }

    @Test
    void whoBeganUnderAnEarlierLayoutRemovesNoVersions() {
        LocalityGroup group = LocalityGroup.of("g", FamilyLayout.map("f", CellSchema.avro("string")))
                .withMaxVersions(2);
        EntityTable kept = instance.createTable(TableLayout.of("Kept", new KeyFormat.Raw(), group));
        EntityId id = kept.id("a");
        kept.writer().put(id, "f:x", 1, "v1");
        DataRequest all = DataRequest.of(ColumnRequest.of("f").allVersions());
        EntityRow paged = kept.reader()
                .get(id, DataRequest.of(ColumnRequest.of("f").allVersions().paged(10)));
        try (RowScanner scanner = kept.reader().scan(all)) {
            TableLayout update = kept.layout().toUpdate();
            instance.updateLayout(
                    update.withGroups(List.of(update.groups().get(0).withMaxVersions(9))));
            for (long time = 2; time <= 5; time++) {
                kept.writer().put(id, "f:x", time, "v" + time);
            }
            scanner.forEachRemaining(row -> assertThat(row.timestamps("f:x")).hasSizeLessThanOrEqualTo(2));
            assertThat(paged.iterate("f")).hasSizeLessThanOrEqualTo(2);
        }
        // What would be removed is removed in the background: before what a later read removes.
        versionsBeyondTheMaximumLeaveTheStorage();
        assertThat(kept.reader().get(id, all).timestamps("f:x")).containsExactly(5L, 4L, 3L, 2L, 1L);
        instance.dropTable("Kept");
    }

    /** Permissions can only be given by who has a name; the tables are there without them. */
    @Test
    void tablesAreRestoredAlsoWherePermissionsCannotBe() {
        LocalityGroup group = LocalityGroup.of("g", FamilyLayout.map("f", CellSchema.json()));
        EntityUri from = uri.withInstance("Backed" + ProcessHandle.current().pid());
        EntityUri to = uri.withInstance("Restored" + ProcessHandle.current().pid());
        Entities.install(from);
        Entities.install(to);
        try (Instance backed = Entities.open(from);
                Instance restored = Entities.open(to)) {
            backed.createTable(TableLayout.of("a", new KeyFormat.Raw(), group));
            backed.createTable(TableLayout.of("b", new KeyFormat.Raw(), group));
            String backup = backed.backup(MetadataBackup.everything())
                    .replaceFirst("\"records\" : \\{", "\"records\" : { \"grant/t/a/ann\": \"READ\",");
            assertRefused(EntityError.NOT_CAPABLE, () -> restored.restore(backup, MetadataBackup.everything()));
            assertThat(restored.tables()).containsExactly("a", "b");
        } finally {
            Entities.uninstall(from);
            Entities.uninstall(to);
        }
    }

    /** A connection takes 1024 requests at a time; these are more. */
    @Test
    void manyThreadsMayReadManyEntitiesAtOnce() {
        List<EntityId> ids = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            ids.add(table.id("bulk" + i));
        }
        List<CompletableFuture<List<EntityRow>>> running = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            running.add(table.reader().getAllAsync(ids, DataRequest.of("Info:name")));
        }
        running.forEach(rows -> assertThat(rows.join()).hasSize(300));
    }

    @Test
    void aColumnsOwnTimeToLiveIsItsCells() {
        FamilyLayout family = FamilyLayout.group(
                "f",
                ColumnLayout.of("short", CellSchema.avro("string").withTtlSeconds(100)),
                ColumnLayout.of("long", CellSchema.avro("string")));
        EntityTable ttl = instance.createTable(TableLayout.of(
                "Ttl", new KeyFormat.Raw(), LocalityGroup.of("g", family).withTtlSeconds(5000)));
        ttl.writer().put(ttl.id("a"), "f:short", "s");
        ttl.writer().put(ttl.id("a"), "f:long", "l");
        List<Row> rows = cql.execute(
                        "SELECT qualifier, TTL(value) FROM \"" + Names.keyspace(LONG_NAME) + "\".\"Ttl_g\"")
                .all();
        assertThat(rows).hasSize(2).allSatisfy(row -> {
            boolean isShort = "short".equals(row.getString(0));
            assertThat(row.getInt(1)).isBetween(isShort ? 1 : 101, isShort ? 100 : 5000);
        });
        // A life counts from the cell's own time, as in the other stores.
        ttl.writer().put(ttl.id("b"), "f:short", System.currentTimeMillis() - 200_000, "over");
        ttl.writer().put(ttl.id("b"), "f:long", System.currentTimeMillis() - 200_000, "lives");
        assertThat(ttl.reader().get(ttl.id("b"), DataRequest.of("f")).qualifiers("f"))
                .containsExactly("long");
    }

    @Test
    void aRequestHasAConsistencyOfItsOwn() {
        EntityId id = table.id("agreed");
        table.writer().put(id, "Info:name", "x");
        DataRequest request = DataRequest.of("Info:name");
        assertThat(table.reader().get(id, request.at("ONE")).value("Info:name", String.class))
                .contains("x");
        // A level that Cassandra does not read at shows that it reached it.
        assertThatThrownBy(() -> table.reader().get(id, request.at("ANY")))
                .isInstanceOf(EntityException.class)
                .hasMessageContaining("ANY");
        assertRefused(EntityError.BAD_REQUEST, () -> table.reader().get(id, request.at("THREE")));
        assertRefused(EntityError.BAD_REQUEST, () -> table.reader().get(id, request.at("MOST")));
    }

    @Test
    void optionsThatCassandraDoesNotKnowAreRefusedBeforeATableIsMade() {
        for (String option : List.of("compaction", "gc_grace_seconds", "cached_rows", "bloom_filter_fp_chance")) {
            LocalityGroup group = LocalityGroup.of("g", FamilyLayout.map("f", CellSchema.json()))
                    .withOption(option, "'} AND x = {'");
            assertRefused(
                    EntityError.BAD_LAYOUT,
                    () -> instance.createTable(TableLayout.of("Odd", new KeyFormat.Raw(), group)));
        }
        assertThat(instance.tables()).doesNotContain("Odd");
    }

    /** Tables of earlier versions have no record of how they were made. */
    @Test
    void anOlderTableStaysAsItsLayoutSays() {
        LocalityGroup group = LocalityGroup.of("g", FamilyLayout.map("f", CellSchema.json()));
        for (boolean ordered : List.of(true, false)) {
            TableLayout layout = TableLayout.of("Older" + ordered, new KeyFormat.Raw(), group);
            EntityTable older = instance.createTable(ordered ? layout.withOption("ordered", "true") : layout);
            cql.execute("DELETE FROM \"" + Names.keyspace(LONG_NAME)
                    + "\".polytable_records WHERE part = 'records' AND key = 'cql-ordered/Older" + ordered
                    + "' IF EXISTS");
            instance.updateLayout(older.layout().toUpdate().withDescription("still as it was"));
            TableLayout other = older.layout().toUpdate().withOption("ordered", String.valueOf(!ordered));
            assertRefused(EntityError.NOT_CAPABLE, () -> instance.updateLayout(other));
            instance.dropTable(older.name());
        }
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
    void versionsBeyondTheMaximumLeaveTheStorage() {
        EntityId id = table.id("versions" + System.nanoTime());
        long base = System.currentTimeMillis();
        for (int i = 0; i < 6; i++) {
            table.writer().put(id, "Info:name", base + i, "v" + i);
        }
        DataRequest all = DataRequest.of(ColumnRequest.of("Info:name").allVersions());
        assertThat(table.reader().get(id, all).timestamps("Info:name")).containsExactly(base + 5, base + 4);
        String count = "SELECT count(*) FROM \"" + Names.keyspace(LONG_NAME) + "\".\"People_many\" WHERE key = ?";
        // A read asks for the removal only while this process holds the lease of the layout; so we read until one does.
        Await.until("two versions are stored", () -> {
            assertThat(table.reader().get(id, all).timestamps("Info:name")).hasSize(2);
            return stored(count, id) == 2;
        });
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
