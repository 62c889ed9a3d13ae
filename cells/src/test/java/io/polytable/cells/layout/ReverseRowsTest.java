package io.polytable.cells.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.RowRange;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.WriteSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Reverse scans over rows whose cells are too large to collect. */
class ReverseRowsTest {
    private static final Bytes F = Bytes.utf8("f");
    private static final int CELLS = 40;
    private static final int VALUE_BYTES = 100_000;

    /** A read copies values into memory, so values that are not requested yet must not be read. */
    private static final class CountingReader implements Reader {
        private final Reader reader;
        private long valueBytes;

        CountingReader(Reader reader) {
            this.reader = reader;
        }

        @Override
        public Optional<Bytes> read(Table table, RowKey key) {
            return reader.read(table, key);
        }

        @Override
        public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
            Cursor cursor = reader.scan(table, range, direction, limit);
            return new Cursor() {
                @Override
                public boolean next() {
                    return cursor.next();
                }

                @Override
                public boolean seek(Bytes key) {
                    return cursor.seek(key);
                }

                @Override
                public Bytes key() {
                    return cursor.key();
                }

                @Override
                public Bytes value() {
                    valueBytes += cursor.value().length();
                    return cursor.value();
                }

                @Override
                public void close() {
                    cursor.close();
                }
            };
        }
    }

    @Test
    void largeCellsAreReadOneAfterTheOther() {
        try (TableStore store = new MemoryStore()) {
            CellTableSpec spec = CellTableSpec.of(new TableName("default", "t"), FamilySpec.of(F));
            Table table = store.create(CellRows.tableSpec(new TableName("cells", "t"), spec));
            write(store, table, "a", 1);
            write(store, table, "b", VALUE_BYTES);
            write(store, table, "c", 1);
            CountingReader reader = new CountingReader(store);
            try (ReverseRows rows = CellRows.reverse(reader, table, RowRange.ALL)) {
                assertThat(rows.next()).isTrue();
                assertThat(names(rows)).hasSize(CELLS).isSorted();
                assertThat(rows.next()).isTrue();
                assertThat(rows.row()).isEqualTo(Bytes.utf8("b"));
                assertThat(reader.valueBytes).isLessThan(CELLS * VALUE_BYTES / 4);
                assertThat(names(rows)).hasSize(CELLS).isSorted();
                assertThat(rows.next()).isTrue();
                assertThat(rows.row()).isEqualTo(Bytes.utf8("a"));
                assertThat(names(rows)).hasSize(CELLS).isSorted();
                assertThat(rows.next()).isFalse();
            }
        }
    }

    private static List<Bytes> names(ReverseRows rows) {
        List<Bytes> names = new ArrayList<>();
        StoredCursor cells = rows.cells();
        do {
            names.add(cells.cell().qualifier());
        } while (cells.next() && cells.row().equals(rows.row()));
        return names;
    }

    private static void write(TableStore store, Table table, String name, int valueBytes) {
        Bytes row = Bytes.utf8(name);
        WriteSet set = new WriteSet(store);
        RowEditor editor = new RowEditor(set, table, CellRows.partition(row));
        for (int i = 0; i < CELLS; i++) {
            Bytes qualifier = Bytes.utf8("q" + (100 + i));
            editor.put(new Cell(row, F, qualifier, 5, CellKind.PUT, Bytes.of(new byte[valueBytes])));
        }
        set.commit();
    }
}
