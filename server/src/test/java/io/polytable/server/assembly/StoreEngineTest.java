package io.polytable.server.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.Findings;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.setting.Settings;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.metrics.Prometheus;
import io.polytable.server.run.RunningStore;
import io.polytable.store.Backup;
import io.polytable.store.engine.DurabilityMode;
import io.polytable.store.engine.EngineOptions;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreEngineTest {
    private static final TableSpec SPEC = new TableSpec(
            new TableName("test", "rows"),
            TableKind.FACE,
            List.of(new Column("k", ColumnType.BYTES), new Column("v", ColumnType.BYTES)),
            List.of(KeyColumn.ascending("k")),
            List.of(),
            TableOptions.DEFAULT);

    @TempDir
    private Path directory;

    private final StoreOpener opener = new StoreOpener();

    @Test
    void backsUpWhileOpenAndRestores() {
        Path backup = directory.resolve("backup");
        try (RunningStore engine = open("first")) {
            write(engine, "one");
            assertThat(engine.backup(new Backup.Request(backup)).files()).isPositive();
            write(engine, "two");
            assertThatThrownBy(() -> engine.backup(new Backup.Request(backup))).isInstanceOf(StoreException.class);
        }
        opener.restore(backup, directory.resolve("second"), Map.of(), Optional.empty());
        try (RunningStore restored = open("second")) {
            assertThat(restored.check()).isEqualTo(new Findings("Read 1 rows of 1 tables", List.of()));
        }
        try (RunningStore first = open("first")) {
            assertThat(first.check()).isEqualTo(new Findings("Read 2 rows of 1 tables", List.of()));
        }
    }

    @Test
    void tellsWhenItCannotGoOn() {
        RunningStore engine = open("store");
        write(engine, "one");
        assertThat(engine.failure()).isEmpty();
        engine.close();
        assertThat(engine.failure()).isPresent();
    }

    @Test
    void showsItsNumbers() {
        try (RunningStore engine = open("store");
                Prometheus prometheus = new Prometheus()) {
            write(engine, "one");
            prometheus.add(engine);
            assertThat(prometheus.scrape())
                    .contains(
                            "# TYPE polytable_store_log_end_position gauge",
                            "polytable_store_log_synced_position ",
                            "# TYPE polytable_store_memory_read_hits_total counter",
                            "polytable_store_state_cache_misses_total ");
        }
    }

    @Test
    void takesItsOptionsFromTheConfiguration() {
        Settings settings = settings(
                "--store.durability=always",
                "--memory.rows=64mb",
                "--memory.blocks=200mb",
                "--store.log.segment.bytes=1048577",
                "--store.log.retention.time=5m");
        EngineOptions options = StoreOptions.engine(settings, 1);
        assertThat(options.durability()).isEqualTo(DurabilityMode.ALWAYS);
        assertThat(options.memory().rowBytes()).isEqualTo(64L << 20);
        assertThat(options.memory().blockBytes()).isEqualTo(200L << 20);
        assertThat(options.generations().bytes()).isEqualTo(8L << 20);
        assertThat(StoreOptions.log(settings).segmentBytes()).isEqualTo((1L << 20) + 4096);
        assertThat(StoreOptions.log(settings).retainTime()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void choosesMemoryByTheMachine() {
        EngineOptions options = StoreOptions.engine(settings(), 1);
        assertThat(options.memory().rowBytes()).isEqualTo((long) (MemoryPlan.heapBytes() * 0.4));
        assertThat(options.memory().blockBytes()).isBetween(128L << 20, 4L << 30);
    }

    private RunningStore open(String name) {
        return opener.open(directory.resolve(name), settings("--memory.rows=32mb", "--memory.blocks=128mb"));
    }

    private static void write(RunningStore engine, String key) {
        Table table = engine.store().create(SPEC);
        Batch batch = new Batch();
        batch.put(table, RowKey.whole(Bytes.utf8(key)), Bytes.utf8("value"));
        engine.store().commit(batch).durable().toCompletableFuture().join();
    }

    private static Settings settings(String... words) {
        return ServerCatalog.load(List.of(words), Map.of());
    }
}
