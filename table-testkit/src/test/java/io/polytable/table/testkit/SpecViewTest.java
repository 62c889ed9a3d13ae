package io.polytable.table.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Batch;
import io.polytable.table.Column;
import io.polytable.table.ColumnRange;
import io.polytable.table.ColumnType;
import io.polytable.table.KeyColumn;
import io.polytable.table.Reader;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.Value;
import io.polytable.table.codec.RowCodec;
import io.polytable.table.view.SpecView;
import io.polytable.table.view.TableView;
import io.polytable.table.view.ViewScan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpecViewTest {
    private static final TableSpec SPEC = new TableSpec(
            new TableName("shop", "orders"),
            TableKind.SHARED,
            List.of(
                    new Column("note", ColumnType.STRING),
                    new Column("customer", ColumnType.STRING),
                    new Column("number", ColumnType.INT)),
            List.of(KeyColumn.ascending("customer")),
            List.of(KeyColumn.descending("number")),
            TableOptions.DEFAULT);

    private final MemoryStore store = new MemoryStore();
    private final Table table = store.create(SPEC);

    private static List<Value> order(String customer, int number, String note) {
        return List.of(new Value.OfString(note), new Value.OfString(customer), new Value.OfInt(number));
    }

    private void put(List<Value> row) {
        RowCodec codec = RowCodec.of(SPEC);
        store.commit(new Batch().put(table, codec.key(row), codec.value(row)));
    }

    private static List<List<Value>> rows(TableView view, Reader reader) {
        List<List<Value>> rows = new ArrayList<>();
        try (TableView.RowCursor cursor = view.open(reader)) {
            while (cursor.next()) {
                rows.add(cursor.row());
            }
        }
        return rows;
    }

    @Test
    void rowsShowAsColumnsInTheOrderOfTheKey() {
        put(order("bob", 1, "x"));
        put(order("ada", 1, "y"));
        put(order("ada", 2, "z"));
        SpecView view = new SpecView(table);
        assertThat(view.name()).isEqualTo(SPEC.name());
        assertThat(view.columns()).isEqualTo(SPEC.columns());
        assertThat(view.key()).containsExactly("customer", "number");
        assertThat(rows(view, store)).containsExactly(order("ada", 2, "z"), order("ada", 1, "y"), order("bob", 1, "x"));
    }

    @Test
    void aRangeOfKeyValuesShowsItsRows() {
        for (int number = 0; number < 10; number++) {
            put(order("ada", number, ""));
        }
        SpecView view = new SpecView(table);
        ViewScan scan = ViewScan.all(view)
                .within("customer", ColumnRange.equalTo(new Value.OfString("ada")))
                .within("number", ColumnRange.between(new Value.OfInt(3), new Value.OfInt(5)));
        try (TableView.RowCursor cursor = view.rows(store, scan)) {
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.row()).isEqualTo(order("ada", 4, ""));
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.row()).isEqualTo(order("ada", 3, ""));
            assertThat(cursor.next()).isFalse();
        }
    }

    @Test
    void aViewFromBeforeAColumnWasAddedGoesOn() {
        SpecView before = new SpecView(table);
        put(order("ada", 1, "old"));
        store.addColumn(SPEC.name(), new Column("paid", ColumnType.BOOLEAN));
        RowCodec codec = RowCodec.of(table.spec());
        List<Value> paid = new ArrayList<>(order("bob", 1, "new"));
        paid.add(new Value.OfBoolean(true));
        store.commit(new Batch().put(table, codec.key(paid), codec.value(paid)));
        List<Value> unpaid = new ArrayList<>(order("ada", 1, "old"));
        unpaid.add(new Value.Absent());
        assertThat(rows(before, store)).containsExactly(order("ada", 1, "old"), order("bob", 1, "new"));
        assertThat(rows(new SpecView(table), store)).containsExactly(unpaid, paid);
    }

    @Test
    void aViewReadsAnyReader() {
        put(order("ada", 1, "then"));
        try (Snapshot snapshot = store.snapshot()) {
            put(order("ada", 1, "now"));
            assertThat(rows(new SpecView(table), snapshot)).containsExactly(order("ada", 1, "then"));
        }
    }
}
