package io.polytable.store;

import io.polytable.store.log.FileLog;
import io.polytable.store.log.FileLogOptions;
import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.Column;
import io.polytable.table.ColumnType;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.KeyColumn;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Opens engines in a directory, over a log that can be told to fail. */
final class EngineFixture {
    static final FileLogOptions LOG = FileLogOptions.defaults().withSegmentBytes(1 << 20);

    private final Path directory;
    private final AtomicReference<ScriptedLog> log = new AtomicReference<>();

    EngineFixture(Path directory) {
        this.directory = directory;
    }

    /** Generations are applied at once, so that what is tested happens soon. */
    static EngineOptions eager() {
        return EngineOptions.DEFAULT.withMemory(4 << 20, 64 << 20).withGenerations(1 << 12, Duration.ZERO);
    }

    /** Nothing is applied before it must be. */
    static EngineOptions lazy() {
        return EngineOptions.DEFAULT.withMemory(64 << 20, 64 << 20).withGenerations(1 << 30, Duration.ofDays(1));
    }

    Engine open(EngineOptions options) {
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

    static TableSpec spec(String name) {
        return new TableSpec(
                new TableName("test", name),
                TableKind.SHARED,
                List.of(new Column("k", ColumnType.BYTES), new Column("v", ColumnType.BYTES)),
                List.of(KeyColumn.ascending("k")),
                List.of(),
                TableOptions.DEFAULT);
    }

    static RowKey key(String text) {
        return new RowKey(Bytes.utf8(text), 1);
    }

    static Commit put(Engine engine, Table table, String key, String value) {
        return engine.commit(new Batch().put(table, key(key), Bytes.utf8(value)));
    }

    static Optional<String> get(Engine engine, Table table, String key) {
        return engine.read(table, key(key)).map(Bytes::utf8);
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
