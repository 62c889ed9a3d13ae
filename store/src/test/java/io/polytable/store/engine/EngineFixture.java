package io.polytable.store.engine;

import io.polytable.store.EmbeddedStore;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.log.file.FileLog;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.TableStore;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.testkit.Await;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Opens engines in a directory, over a log that can be told to fail. */
public final class EngineFixture {
    public static final FileLogOptions LOG = FileLogOptions.defaults().withSegmentBytes(1 << 20);

    /** Background work is done at once and failed work tried again soon: no test waits for the pace of production. */
    public static final EngineOptions.Timing QUICK =
            new EngineOptions.Timing(Duration.ofMillis(10), Duration.ofMillis(20), System::nanoTime);

    private final Path directory;
    private final AtomicReference<ScriptedLog> log = new AtomicReference<>();

    public EngineFixture(Path directory) {
        this.directory = directory;
    }

    /** Generations are applied at once, so that what is tested happens soon. */
    public static EngineOptions eager() {
        return EngineOptions.DEFAULT
                .withMemory(4 << 20, 64 << 20)
                .withGenerations(1 << 12, Duration.ZERO)
                .withTiming(QUICK);
    }

    /** Nothing is applied before it must be. */
    public static EngineOptions lazy() {
        return EngineOptions.DEFAULT
                .withMemory(64 << 20, 64 << 20)
                .withGenerations(1 << 30, Duration.ofDays(1))
                .withTiming(QUICK);
    }

    public Engine open(EngineOptions options) {
        return EmbeddedStore.open(
                StoreDirectory.lock(directory),
                options,
                path -> {
                    ScriptedLog scripted = new ScriptedLog(FileLog.open(path, LOG));
                    log.set(scripted);
                    return scripted;
                },
                Recovery.Progress.NONE);
    }

    ScriptedLog log() {
        return Optional.ofNullable(log.get()).orElseThrow();
    }

    public static TableSpec spec(String name) {
        return new TableSpec(
                new TableName("test", name),
                TableKind.SHARED,
                List.of(new Column("k", ColumnType.BYTES), new Column("v", ColumnType.BYTES)),
                List.of(KeyColumn.ascending("k")),
                List.of(),
                TableOptions.DEFAULT);
    }

    public static RowKey key(String text) {
        return new RowKey(Bytes.utf8(text), 1);
    }

    public static Commit put(Engine engine, Table table, String key, String value) {
        return engine.commit(new Batch().put(table, key(key), Bytes.utf8(value)));
    }

    public static Optional<String> get(Engine engine, Table table, String key) {
        return engine.read(table, key(key)).map(Bytes::utf8);
    }

    /** Writes to the store, of which the engine is the one that is written to, until its log has release what it holds. */
    public static void forgetChanges(TableStore store, Engine engine) {
        long before = engine.end();
        Table filler = store.create(spec("filler"));
        Bytes value = Bytes.of(new byte[1 << 12]);
        for (int i = 0; i < 100; i++) {
            store.commit(new Batch().put(filler, RowKey.whole(Bytes.utf8("f" + i)), value));
            store.flush();
        }
        engine.settle();
        Await.until("the log has released its old positions", () -> firstInLog(engine) > before);
    }

    private static long firstInLog(Engine engine) {
        return engine.statistics().values().getOrDefault("log_first_position", 0L);
    }

    /** {@link #QUICK} by a clock that stands still until it is moved. */
    public static EngineOptions.Timing quick(AtomicLong nanos) {
        return new EngineOptions.Timing(QUICK.tick(), QUICK.retry(), nanos::get);
    }

    static List<String> keys(Cursor cursor) {
        List<String> keys = new ArrayList<>();
        try (cursor) {
            while (cursor.next()) {
                keys.add(cursor.key().utf8());
            }
        }
        return keys;
    }
}
