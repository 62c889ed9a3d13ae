package io.polytable.benchmarks.entity;

import io.polytable.cells.Cell;
import io.polytable.cells.CellRow;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.RowRange;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.Condition;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.FamilySelection;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.StepLimit;
import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellStoreOptions;
import io.polytable.cells.store.CellTable;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import io.polytable.table.codec.BytesReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** The embedded cell store, called directly as the entity library does. */
final class CellsSide implements Side {
    private static final long MEMORY_BYTES = 64L << 20;
    private static final long STEP_BYTES = 8 << 20;
    private static final Bytes FAMILY = Bytes.utf8("f");
    private static final Bytes VALUE = Bytes.utf8("v");
    private static final Bytes COUNT = Bytes.utf8("n");
    private static final Selection WANTED = Selection.ALL.with(FAMILY, FamilySelection.of(Set.of(VALUE)));

    private final TableStore tables;
    private final CellStore cells;
    private final CellTable table;

    CellsSide(Path directory) {
        tables = EmbeddedStore.open(
                directory, EngineOptions.DEFAULT.withMemory(MEMORY_BYTES, MEMORY_BYTES), FileLogOptions.defaults());
        cells = CellStore.open(tables, CellStoreOptions.DEFAULT);
        table = cells.create(
                CellTableSpec.of(new TableName("raw", "t"), FamilySpec.of("f").withVersions(0, 1)));
    }

    private static Bytes key(int row) {
        return Bytes.utf8(Side.key(row));
    }

    @Override
    public void put(int row, byte[] value) {
        table.write(RowWrite.of(key(row), new Edit.Put(FAMILY, VALUE, Bytes.of(value))));
    }

    @Override
    public int get(int row) {
        return length(table.getAsync(key(row), WANTED).join());
    }

    private static int length(CellRow row) {
        int length = 0;
        for (Cell cell : row.cells()) {
            length += cell.value().length();
        }
        return length;
    }

    @Override
    public int getAll(List<Integer> rows) {
        return table.getAllAsync(rows.stream().map(CellsSide::key).toList(), WANTED).join().stream()
                .mapToInt(CellsSide::length)
                .sum();
    }

    @Override
    public int scan(int from, int rows) {
        int found = 0;
        try (CellScanner scanner = table.scan(ScanRequest.of(new RowRange(key(from), Bytes.EMPTY), WANTED))) {
            for (CellRow row : scanner.next(StepLimit.of(rows, STEP_BYTES)).rows()) {
                found += length(row) > 0 ? 1 : 0;
            }
        }
        return found;
    }

    @Override
    public long increment(int row) {
        Cell cell = table.write(RowWrite.of(key(row), new Edit.Increment(FAMILY, COUNT, 1)))
                .cells()
                .get(0);
        return new BytesReader(cell.value()).i64();
    }

    @Override
    public boolean check(int row, byte[] expected, byte[] value) {
        Condition same = new Condition.Compares(FAMILY, VALUE, Condition.Relation.EQUAL, Bytes.of(expected));
        return table.write(RowWrite.of(key(row), new Edit.Put(FAMILY, VALUE, Bytes.of(value)))
                        .when(same))
                .applied();
    }

    @Override
    public void close() {
        cells.close();
        tables.close();
    }
}
