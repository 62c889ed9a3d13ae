package io.polytable.server.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.cells.Cell;
import io.polytable.cells.CellRow;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.RowRange;
import io.polytable.cells.projection.CellProjection;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.StepLimit;
import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellStoreOptions;
import io.polytable.cells.store.CellTable;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.DurabilityMode;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.engine.Recovery;
import io.polytable.store.fluss.FlussSettings;
import io.polytable.store.fluss.TestCluster;
import io.polytable.store.fluss.projection.ProjectionOptions;
import io.polytable.store.fluss.projection.Projector;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.store.partition.Partitioning;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Cell tables in a real Fluss cluster, read with Fluss' client: one row per row key, one column per family. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class CellsInFlussTest {
    private static final Bytes PERSONAL = Bytes.utf8("personal");
    private static final Bytes CONTACT = Bytes.utf8("contact");
    private static final TableName USERS = new TableName("default", "users");
    private static final String SHOWN = "hbase_default__users";
    private static final long PATIENCE_SECONDS = 60;

    @TempDir
    Path directory;

    private final FlussSettings settings = FlussSettings.of(TestCluster.shared().bootstrapServers())
            .withDatabase("cells")
            .withAnswerMax(Duration.ofSeconds(20));

    /** Fluss made a table and elects no leader for it, which happens now and then while a cluster is young. */
    private static final class LeaderlessTableException extends Exception {
        private static final long serialVersionUID = 1;
    }

    /** A store with cells whose tables are shown. */
    private final class Projected implements AutoCloseable {
        private final TableStore store;
        private final CellStore cells;
        private final Projector projector;

        Projected(String database, Partitioning partitioning) {
            EngineOptions small =
                    EngineOptions.DEFAULT.withDurability(DurabilityMode.OS).withMemory(16L << 20, 64L << 20);
            store = partitioning.count() == 1
                    ? EmbeddedStore.open(directory.resolve(database), small, FileLogOptions.defaults())
                    : EmbeddedStore.openPartitions(
                            directory.resolve(database),
                            partitioning,
                            small,
                            FileLogOptions.defaults(),
                            Recovery.Progress.NONE);
            cells = CellStore.open(store, CellStoreOptions.DEFAULT);
            projector = new Projector(
                    settings.withDatabase(database),
                    ProjectionOptions.DEFAULT
                            .withInterval(Duration.ofMillis(50))
                            .withBatchRows(20)
                            .withQuiet(Duration.ofMillis(500)),
                    "hbase");
            projector.start(store, () -> CellProjection.of(cells, store, InstantSource.system()));
        }

        /** Waits until the rows in Fluss are what the cell table shows. */
        void awaitEqual(FamilyReader reader, TableName name, String shown) throws Exception {
            Map<String, List<String>> wanted = rows(cells.table(name));
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            boolean shows = reader.shows(shown, wanted);
            while (!shows && System.nanoTime() < deadline) {
                TimeUnit.MILLISECONDS.sleep(100);
                shows = reader.shows(shown, wanted);
            }
            if (!shows && projector.status().trouble().orElse("").contains("Leader not found")) {
                throw new LeaderlessTableException();
            }
            assertThat(reader.rows(shown)).isEqualTo(wanted);
        }

        @Override
        public void close() {
            projector.close();
            cells.close();
            store.close();
        }
    }

    private static Map<String, List<String>> rows(CellTable table) {
        Map<String, List<String>> rows = new TreeMap<>();
        List<Bytes> order =
                table.spec().families().stream().map(FamilySpec::name).toList();
        try (CellScanner scanner = table.scan(ScanRequest.of(RowRange.ALL, Selection.ALL))) {
            ScanStep step;
            do {
                step = scanner.next(StepLimit.of(1_000, 1 << 20));
                for (CellRow row : step.rows()) {
                    List<String> cells = new ArrayList<>();
                    order.forEach(family -> row.cells().stream()
                            .filter(cell -> cell.family().equals(family))
                            .forEach(cell -> cells.add(family.utf8() + ":"
                                    + cell.qualifier().utf8() + "@" + cell.timestamp() + "="
                                    + cell.value().utf8())));
                    rows.put(row.row().utf8(), cells);
                }
            } while (step.hasMore());
        }
        return rows;
    }

    private static Edit.Put put(Bytes family, String qualifier, String value) {
        return new Edit.Put(family, Bytes.utf8(qualifier), Bytes.utf8(value));
    }

    private static CellTableSpec users() {
        return CellTableSpec.of(USERS, FamilySpec.of("personal"), FamilySpec.of("contact"));
    }

    @Test
    void theSourceDocumentsExample() throws Exception {
        try (Projected projected = new Projected("cells_example", Partitioning.ONE);
                FamilyReader reader = new FamilyReader(TestCluster.shared().bootstrapServers(), "cells_example")) {
            CellTable table = projected.cells.create(users());
            table.write(RowWrite.of(
                    Bytes.utf8("user1"),
                    List.of(
                            put(PERSONAL, "name", "Alice"),
                            put(PERSONAL, "age", "30"),
                            put(CONTACT, "email", "alice@example.com"))));
            projected.awaitEqual(reader, USERS, SHOWN);
            assertThat(reader.columns(SHOWN))
                    .containsExactly("row_key", "contact", "personal", "timestamps", "log_position");
            assertThat(reader.rows(SHOWN).get("user1"))
                    .extracting(cell -> cell.replaceAll("@\\d+", ""))
                    .containsExactly("contact:email=alice@example.com", "personal:age=30", "personal:name=Alice");
        }
    }

    @Test
    void tablesAreFollowedThroughEveryChangeOfTheirDefinition() throws Exception {
        try (FamilyReader reader = new FamilyReader(TestCluster.shared().bootstrapServers(), "cells")) {
            try (Projected projected = new Projected("cells", Partitioning.ONE)) {
                CellTable table = projected.cells.create(users());
                change(table, new Random(1), 300);
                projected.awaitEqual(reader, USERS, SHOWN);
                CellTableSpec wider = CellTableSpec.of(
                        USERS, FamilySpec.of("personal"), FamilySpec.of("contact"), FamilySpec.of("log"));
                projected.cells.alter(wider);
                table.write(RowWrite.of(Bytes.utf8("r1"), put(Bytes.utf8("log"), "x", "y")));
                projected.awaitEqual(reader, USERS, SHOWN);
                projected.cells.save(USERS, "saved");
                projected.cells.truncate(USERS);
                projected.awaitEqual(reader, USERS, SHOWN);
            }
            try (Projected projected = new Projected("cells", Partitioning.ONE)) {
                projected.cells.restore("saved", USERS);
                projected.awaitEqual(reader, USERS, SHOWN);
                assertThat(reader.rows(SHOWN)).isNotEmpty();
                TableName other = new TableName("team", "a.b");
                projected.cells.restore("saved", other);
                projected.cells.drop(USERS);
                projected.awaitEqual(reader, other, "hbase_team__a_2eb");
                change(projected.cells.table(other), new Random(2), 100);
                projected.projector.rebuild();
                projected.awaitEqual(reader, other, "hbase_team__a_2eb");
                assertThat(reader.tables()).containsExactly("hbase_team__a_2eb");
            }
        }
    }

    @Test
    void severalPartitionsEachHaveSomeTables() throws Exception {
        try {
            showTablesOfSeveralPartitions("cells_groups");
        } catch (LeaderlessTableException fluss) {
            showTablesOfSeveralPartitions("cells_groups_again");
        }
    }

    private void showTablesOfSeveralPartitions(String database) throws Exception {
        Partitioning three = new Partitioning(
                3, name -> CellStore.isCells(name) ? (name.name().charAt("default.t".length()) - '0') % 3 : 0);
        try (Projected projected = new Projected(database, three);
                FamilyReader reader = new FamilyReader(TestCluster.shared().bootstrapServers(), database)) {
            for (int i = 0; i < 3; i++) {
                TableName name = new TableName("default", "t" + i);
                CellTable table = projected.cells.create(
                        CellTableSpec.of(name, FamilySpec.of("personal"), FamilySpec.of("contact")));
                change(table, new Random(i), 60);
            }
            assertThat(projected.store.tables().stream()
                            .filter(table -> CellStore.isCells(table.name()))
                            .map(table -> projected.store.partition(table.name()))
                            .distinct())
                    .hasSizeGreaterThan(1);
            for (int i = 0; i < 3; i++) {
                projected.awaitEqual(reader, new TableName("default", "t" + i), "hbase_default__t" + i);
            }
        }
    }

    private static void change(CellTable table, Random random, int steps) {
        for (int i = 0; i < steps; i++) {
            Bytes row = Bytes.utf8("r" + random.nextInt(40));
            Bytes family = random.nextBoolean() ? PERSONAL : CONTACT;
            Bytes qualifier = Bytes.utf8("q" + random.nextInt(4));
            Edit edit = switch (random.nextInt(5)) {
                case 0 -> new Edit.DeleteRow(Cell.LATEST);
                case 1 -> new Edit.Append(family, qualifier, Bytes.utf8("+"));
                default -> new Edit.Put(family, qualifier, Bytes.utf8("v" + i));
            };
            table.write(RowWrite.of(row, edit));
        }
    }
}
