package io.polytable.sql.model.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.WriteSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** DuckDB scans several tables of a transaction at once, each on a thread of its own. */
class LockedReaderTest {
    private static final int ROWS = 3000;
    private static final int ROUNDS = 20;

    private final MemoryStore store = new MemoryStore();

    private Table create(String name) {
        return store.create(new TableSpec(
                new TableName("test", name),
                TableKind.FACE,
                List.of(new Column("key", ColumnType.BYTES), new Column("value", ColumnType.BYTES)),
                List.of(KeyColumn.ascending("key")),
                List.of(),
                TableOptions.DEFAULT));
    }

    @Test
    void scansOfUncommittedRowsDoNotDisturbEachOther() {
        WriteSet changes = new WriteSet(store);
        List<Table> tables = List.of(create("a"), create("b"));
        for (int i = 0; i < ROWS; i++) {
            for (Table table : tables) {
                changes.put(table, RowKey.whole(key(i)), value(table, i));
            }
        }
        LockedReader reader = new LockedReader(changes);
        List<CompletableFuture<Void>> scans = new ArrayList<>();
        for (Table table : tables) {
            scans.add(CompletableFuture.runAsync(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    assertShows(reader, table);
                }
            }));
        }
        scans.forEach(CompletableFuture::join);
    }

    private static void assertShows(LockedReader reader, Table table) {
        try (Cursor cursor = reader.scan(table, KeyRange.ALL, Direction.FORWARD, Long.MAX_VALUE)) {
            for (int i = 0; i < ROWS; i++) {
                assertThat(cursor.next()).isTrue();
                assertThat(cursor.keySlice().toBytes()).isEqualTo(key(i));
                assertThat(cursor.valueSlice().toBytes()).isEqualTo(value(table, i));
            }
            assertThat(cursor.next()).isFalse();
        }
    }

    private static Bytes key(int i) {
        return Bytes.utf8(Integer.toString(100_000 + i));
    }

    private static Bytes value(Table table, int i) {
        return Bytes.utf8(table.name() + " " + i);
    }
}
