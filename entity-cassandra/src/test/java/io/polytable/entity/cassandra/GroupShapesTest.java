package io.polytable.entity.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.cassandra.cluster.Names;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.key.EntityRange;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.read.ColumnPager;
import io.polytable.entity.read.EntityCell;
import io.polytable.entity.read.EntityRow;
import io.polytable.entity.read.RowScanner;
import io.polytable.entity.request.ColumnRequest;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.request.ScanOptions;
import io.polytable.entity.store.Partition;
import io.polytable.entity.uri.EntityUri;
import io.polytable.table.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The shapes of a locality group's table: native counters, an index by time, an index by column. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GroupShapesTest {
    private static final String NAME = "Shapes_" + ProcessHandle.current().pid();

    private final EntityUri uri = CassandraNode.instance(NAME);
    private final CqlSession cql = CassandraNode.cql();
    private Instance instance;
    private EntityTable table;

    private static LocalityGroup counters() {
        return LocalityGroup.of("fast", FamilyLayout.map("hits", CellSchema.counter()))
                .withOption("native_counters", "true");
    }

    private static LocalityGroup timed() {
        return LocalityGroup.of("timed", FamilyLayout.map("log", CellSchema.avro("string")))
                .withMaxVersions(LocalityGroup.ALL_VERSIONS)
                .withOption("by_time", "true");
    }

    private static LocalityGroup found() {
        return LocalityGroup.of(
                        "found",
                        FamilyLayout.group(
                                "mark",
                                ColumnLayout.of("red", CellSchema.avro("string")),
                                ColumnLayout.of("blue", CellSchema.counter())))
                .withOption("by_column", "true");
    }

    private static LocalityGroup few() {
        return LocalityGroup.of("few", FamilyLayout.map("last", CellSchema.avro("string")))
                .withMaxVersions(2);
    }

    @BeforeAll
    void install() {
        Entities.install(uri);
        instance = Entities.open(uri);
        table = instance.createTable(
                TableLayout.of("Shapes", new KeyFormat.Raw(), counters(), timed(), found(), few()));
    }

    @AfterAll
    void uninstall() {
        instance.close();
        Entities.uninstall(uri);
    }

    private List<Row> rows(String text) {
        return cql.execute(text.replace("$", "\"" + Names.keyspace(NAME) + "\"."))
                .all();
    }

    @Test
    void nativeCountersAddUpAndAreDeletedWhole() {
        EntityId id = table.id("counted");
        assertThat(table.writer().increment(id, "hits:a", 5)).isEqualTo(5);
        assertThat(table.writer().increment(id, "hits:a", -2)).isEqualTo(3);
        assertThat(table.writer().increment(id, "hits:b", 1)).isEqualTo(1);
        table.writer().put(id, "last:x", "beside");
        EntityRow row = table.reader().get(id, DataRequest.of("hits", "last"));
        assertThat(row.value("hits:a", Long.class)).contains(3L);
        assertThat(row.timestamps("hits:a").first()).isBetween(1_600_000_000_000L, 4_000_000_000_000L);
        assertThat(rows("SELECT value FROM $\"Shapes_fast\" WHERE key = 0x636f756e746564")
                        .get(0)
                        .getLong(0))
                .as("a counter of Cassandra's own")
                .isEqualTo(3);
        table.writer().deleteColumn(id, "hits:b");
        assertThat(table.reader().get(id, DataRequest.of("hits")).qualifiers("hits"))
                .containsExactly("a");
        table.writer().deleteRow(id);
        assertThat(table.reader().get(id, DataRequest.of("hits", "last")).isEmpty())
                .isTrue();
    }

    @Test
    void whatNativeCountersCannotDoIsRefused() {
        EntityId id = table.id("refused");
        table.writer().increment(id, "hits:a", 1);
        assertRefused(EntityError.NOT_CAPABLE, () -> table.writer().put(id, "hits:a", 7L));
        assertRefused(EntityError.NOT_CAPABLE, () -> table.writer().deleteColumn(id, "hits:a", 5));
        assertRefused(EntityError.NOT_CAPABLE, () -> table.writer().deleteCell(id, "hits:a"));
        assertRefused(EntityError.NOT_CAPABLE, () -> table.writer().deleteRow(id, 5));
        assertRefused(
                EntityError.NOT_CAPABLE,
                () -> table.atomicWriter().begin(id).put("last:x", "y").checkAndCommit("hits:a", 1L));
        assertThat(table.reader().get(id, DataRequest.of("hits")).value("hits:a", Long.class))
                .contains(1L);
        LocalityGroup mixed =
                LocalityGroup.of("g", FamilyLayout.map("f", CellSchema.json())).withOption("native_counters", "true");
        assertRefused(
                EntityError.BAD_LAYOUT, () -> instance.createTable(TableLayout.of("Odd", new KeyFormat.Raw(), mixed)));
    }

    @Test
    void aTimeRangeReadsTheColumnsOfThatTime() {
        EntityId id = table.id("timed");
        for (int i = 0; i < 50; i++) {
            table.writer().put(id, "log:c" + (10 + i), 1000 + i, "v" + i);
        }
        table.writer().put(id, "log:c15", 2000, "later");
        table.writer().deleteColumn(id, "log:c16");
        DataRequest all = DataRequest.of(ColumnRequest.of("log").allVersions());
        EntityRow some = table.reader().get(id, all.between(1004, 1008));
        assertThat(some.qualifiers("log")).containsExactly("c14", "c15", "c17");
        assertThat(some.timestamps("log:c15")).containsExactly(1005L);
        assertThat(table.reader()
                        .get(id, DataRequest.of("log").between(1005, 3000))
                        .timestamps("log:c15"))
                .containsExactly(2000L);
        assertThat(rows("SELECT qualifier FROM $\"" + Names.byTime("Shapes_timed")
                        + "\" WHERE key = 0x74696d6564 AND family = 'log' AND time < 1003"))
                .extracting(row -> row.getString(0))
                .containsExactly("c12", "c11", "c10");
        // A cell that only the first table knows shows which of the two a request of times asks first.
        cql.execute("INSERT INTO \"" + Names.keyspace(NAME)
                + "\".\"Shapes_timed\" (key, family, qualifier, time, value)"
                + " VALUES (0x74696d6564, 'log', 'hidden', 1006, 0x00)");
        assertThat(table.reader().get(id, all.between(1004, 1008)).qualifiers("log"))
                .doesNotContain("hidden");
        table.writer().deleteRow(id);
        assertThat(table.reader().get(id, all.between(1004, 1008)).isEmpty()).isTrue();
        table.writer().put(id, "log:again", 1005, "x");
        assertThat(table.reader().get(id, all.between(1004, 1008)).isEmpty())
                .as("puts after a delete count, as in a group of several versions")
                .isFalse();
    }

    @Test
    void aColumnIsScannedInTheOrderOfKeys() {
        for (int i = 0; i < 60; i++) {
            EntityId id = table.id(String.format("%c%02d", 'a' + i % 3, i));
            if (i % 2 == 0) {
                table.writer().put(id, "mark:red", "r" + i);
            }
            if (i % 10 == 0) {
                table.writer().increment(id, "mark:blue", i + 1);
            }
            table.writer().put(id, "last:x", "noise");
        }
        DataRequest red = DataRequest.of("mark:red");
        List<String> keys = keys(red, ScanOptions.ALL.batch(7));
        assertThat(keys).hasSize(30).isSorted();
        assertThat(keys(
                        red,
                        ScanOptions.ALL.range(new EntityRange(
                                table.id("b").rowKey(), table.id("c").rowKey()))))
                .hasSize(10)
                .isSorted();
        EntityRange ours = new EntityRange(table.id("a").rowKey(), table.id("d").rowKey());
        assertThat(keys(DataRequest.of("mark:red", "mark:blue"), ScanOptions.ALL.range(ours)))
                .hasSize(30);
        try (RowScanner scanner = table.reader().scan(red, ScanOptions.ALL.limit(12))) {
            scanner.forEachRemaining(row -> {});
            assertThat(keys(red, ScanOptions.ALL.resumedAt(scanner.token().orElseThrow())))
                    .isEqualTo(keys.subList(12, 30));
        }
        table.writer().deleteRow(table.id(keys.get(0)));
        assertThat(keys(red, ScanOptions.ALL)).isEqualTo(keys.subList(1, 30));
        List<String> parts = new ArrayList<>();
        for (Partition part : table.reader().partitions(4)) {
            parts.addAll(keys(red, ScanOptions.ALL.partition(part)));
        }
        assertThat(parts).hasSize(29);
        assertRefused(
                EntityError.BAD_REQUEST,
                () -> keys(red, ScanOptions.ALL.partition(new Partition(EntityRange.ALL, "here:there"))));
    }

    private List<String> keys(DataRequest request, ScanOptions options) {
        List<String> keys = new ArrayList<>();
        try (RowScanner scanner = table.reader().scan(request, options)) {
            scanner.forEachRemaining(row -> keys.add(row.id().toString()));
        }
        return keys;
    }

    @Test
    void whatAGroupWasMadeAsStays() {
        TableLayout now = table.layout().toUpdate();
        for (String option : List.of("native_counters", "by_time", "by_column")) {
            List<LocalityGroup> groups = new ArrayList<>(now.groups());
            groups.set(3, few().withOption(option, "true"));
            assertRefused(EntityError.NOT_CAPABLE, () -> instance.updateLayout(now.withGroups(groups)));
        }
        assertRefused(EntityError.NOT_CAPABLE, () -> instance.updateLayout(now.withOption("ordered", "true")));
        assertThat(table.layout().layoutId()).isEqualTo("1");
    }

    @Test
    void manyVersionsAreReadInPagesFromWhereTheLastOneEnded() {
        EntityId id = table.id("pages");
        try (var writer = table.bufferedWriter()) {
            for (int time = 1; time <= 500; time++) {
                writer.put(id, "log:a", time, "a" + time);
                writer.put(id, "log:b", time, "b" + time);
            }
        }
        EntityRow row = table.reader()
                .get(id, DataRequest.of(ColumnRequest.of("log").allVersions().paged(70)));
        List<String> seen = new ArrayList<>();
        ColumnPager pager = row.pager("log");
        for (List<EntityCell> page = pager.next(); !page.isEmpty(); page = pager.next()) {
            page.forEach(cell -> seen.add(cell.column().column() + cell.timestamp()));
        }
        assertThat(seen).hasSize(1000).doesNotHaveDuplicates();
        assertThat(seen.subList(499, 501)).containsExactly("a1", "b500");
    }

    @Test
    void versionsBeyondTheMaximumLeaveTheStorageThoughNobodyReadsThem() {
        EntityId id = table.id("trimmed");
        for (int i = 0; i < 300; i++) {
            table.writer().put(id, "last:x", "v" + i);
        }
        // Each put removes the surplus with a chance of one in four, behind the back of its caller.
        String stored = "SELECT time FROM $\"Shapes_few\" WHERE key = 0x7472696d6d6564";
        Await.until("most versions are removed", () -> rows(stored).size() < 150);
        assertThat(table.reader().get(id, DataRequest.of("last:x")).value("last:x", String.class))
                .contains("v299");
    }

    @Test
    void aCounterOfTheFutureIsRefusedRatherThanLost() {
        EntityId id = table.id("future");
        table.writer().put(id, "mark:blue", System.currentTimeMillis() + 3_600_000, 5L);
        assertRefused(EntityError.BAD_REQUEST, () -> table.writer().increment(id, "mark:blue", 1));
        assertThat(table.reader().get(id, DataRequest.of("mark:blue")).value("mark:blue", Long.class))
                .contains(5L);
    }

    @Test
    void secondTablesKeepEntriesAsLongAsTheGroupNowSays() {
        TableLayout before = TableLayout.of(
                "Lasting", new KeyFormat.Raw(), timed().withTtlSeconds(100), found().withTtlSeconds(100));
        TableLayout now = instance.createTable(before).layout().toUpdate();
        List<LocalityGroup> groups = new ArrayList<>();
        now.groups().forEach(group -> groups.add(group.withTtlSeconds(5000)));
        instance.updateLayout(now.withGroups(groups));
        for (String name : List.of(
                "Lasting_timed", Names.byTime("Lasting_timed"), "Lasting_found", Names.byColumn("Lasting_found"))) {
            assertThat(rows("SELECT default_time_to_live FROM system_schema.tables WHERE keyspace_name = '"
                                    + Names.keyspace(NAME) + "' AND table_name = '" + name + "'")
                            .get(0)
                            .getInt(0))
                    .as(name)
                    .isEqualTo(5000);
        }
    }

    @Test
    void aCheckedPutReplacesAVersionThatIsAheadOfTheClock() {
        EntityId id = table.id("ahead");
        long ahead = System.currentTimeMillis() + 3_600_000;
        table.writer().put(id, "last:x", ahead, "old");
        assertThat(table.atomicWriter().begin(id).put("last:x", "new").checkAndCommit("last:x", "old"))
                .isTrue();
        EntityRow row = table.reader().get(id, DataRequest.of("last:x"));
        assertThat(row.value("last:x", String.class)).contains("new");
        assertThat(row.timestamps("last:x")).containsExactly(ahead + 1);
    }

    @Test
    void anEntryByColumnLivesAsLongAsACellOfTheFuture() {
        EntityTable brief = instance.createTable(TableLayout.of(
                "Brief",
                new KeyFormat.Raw(),
                LocalityGroup.of(
                                "g",
                                FamilyLayout.group(
                                        "f",
                                        ColumnLayout.of(
                                                "c", CellSchema.avro("string").withTtlSeconds(1))))
                        .withOption("by_column", "true")));
        long ahead = System.currentTimeMillis() + 3_600_000;
        brief.writer().put(brief.id("a"), "f:c", ahead, "x");
        // An entry of the present, written later, is gone when the column's time to live is over, counted from now.
        brief.writer().put(brief.id("b"), "f:c", "y");
        String entries = "SELECT family, qualifier, part, key FROM $\"" + Names.byColumn("Brief_g") + "\"";
        Await.until("the later entry has expired", () -> rows(entries).size() == 1);
        try (RowScanner scanner = brief.reader().scan(DataRequest.of("f:c"), ScanOptions.ALL)) {
            assertThat(scanner.hasNext()).isTrue();
        }
    }

    @Test
    void aWriteHasAConsistencyOfItsOwn() {
        EntityId id = table.id("agreed");
        table.writer().at("ONE").put(id, "last:x", "x");
        // Levels that Cassandra does not take for these show that they reached it.
        assertTold("serializable", () -> table.writer().at("SERIAL").put(id, "last:x", "y"));
        assertTold("ANY", () -> table.writer().at("ANY").increment(id, "hits:x", 1));
        assertTold(
                "SERIAL",
                () -> table.atomicWriter()
                        .at("SERIAL")
                        .begin(id)
                        .put("last:x", "z")
                        .checkAndCommit("last:x", "x"));
        assertRefused(EntityError.BAD_REQUEST, () -> table.writer().at("MOST").put(id, "last:x", "y"));
    }

    private static void assertTold(String reason, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(EntityException.class).hasMessageContaining(reason);
    }

    /**
     * One replica cannot satisfy THREE. Cassandra would apply conditional writes all the same, and wait for the others
     * for nothing.
     */
    @Test
    void aLevelThatCanNeverBeMetIsRefusedAndNothingIsWritten() {
        EntityId id = table.id("lonely");
        table.writer().put(id, "last:x", "x");
        table.writer().increment(id, "hits:x", 1);
        table.writer().increment(id, "mark:blue", 1);
        for (String level : List.of("TWO", "THREE")) {
            assertRefused(
                    EntityError.BAD_REQUEST, () -> table.writer().at(level).put(id, "last:x", "y"));
            assertRefused(
                    EntityError.BAD_REQUEST, () -> table.writer().at(level).increment(id, "hits:x", 1));
            assertRefused(
                    EntityError.BAD_REQUEST, () -> table.writer().at(level).increment(id, "mark:blue", 1));
            assertRefused(
                    EntityError.BAD_REQUEST, () -> table.writer().at(level).deleteRow(id));
            assertRefused(
                    EntityError.BAD_REQUEST,
                    () -> table.atomicWriter()
                            .at(level)
                            .begin(id)
                            .put("last:x", "z")
                            .checkAndCommit("last:x", "x"));
        }
        EntityRow row = table.reader().get(id, DataRequest.of("last", "hits", "mark"));
        assertThat(row.value("last:x", String.class)).contains("x");
        assertThat(row.value("hits:x", Long.class)).contains(1L);
        assertThat(row.value("mark:blue", Long.class)).contains(1L);
        LocalityGroup strict = few().withOption("consistency", "THREE");
        assertRefused(
                EntityError.BAD_REQUEST,
                () -> instance.createTable(TableLayout.of("Strict", new KeyFormat.Raw(), strict)));
    }

    private static void assertRefused(EntityError error, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        EntityException.class, e -> assertThat(e.error()).isEqualTo(error));
    }
}
