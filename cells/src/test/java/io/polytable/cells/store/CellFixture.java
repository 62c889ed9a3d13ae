package io.polytable.cells.store;

import io.polytable.cells.Cell;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.request.Edit.Put;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.Selection;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import io.polytable.table.codec.BytesWriter;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** A table for the contract of cell stores, with shorthands for its tests. */
public abstract class CellFixture {
    protected static final TableName NAME = new TableName("default", "people");
    protected static final Bytes F = Bytes.utf8("f");
    protected static final Bytes G = Bytes.utf8("g");
    protected static final Bytes Q = Bytes.utf8("q");
    protected static final Bytes ROW = Bytes.utf8("row");

    protected CellTable table;

    protected abstract CellStore store();

    /** Advances the clock. */
    protected abstract void pass(long millis);

    protected abstract long now();

    @BeforeEach
    protected void createTable() {
        table = store().create(spec(FamilySpec.of(F).withVersions(0, 3), FamilySpec.of(G)));
    }

    protected CellTableSpec spec(FamilySpec... families) {
        return CellTableSpec.of(NAME, families);
    }

    protected CellTable other(FamilySpec... families) {
        return store().create(spec(families).withName(new TableName("default", "other")));
    }

    protected static Bytes b(String text) {
        return Bytes.utf8(text);
    }

    protected static Bytes counter(long value) {
        return new BytesWriter(8).i64(value).toBytes();
    }

    protected void put(String row, String qualifier, long timestamp, String value) {
        table.write(RowWrite.of(b(row), new Put(F, b(qualifier), timestamp, b(value))));
    }

    protected List<String> values(Selection selection) {
        return values(table.get(ROW, selection).cells());
    }

    protected static List<String> values(List<Cell> cells) {
        return cells.stream().map(cell -> cell.value().utf8()).toList();
    }

    protected static Selection versions(int count) {
        return Selection.ALL.withMaxVersions(count);
    }
}
