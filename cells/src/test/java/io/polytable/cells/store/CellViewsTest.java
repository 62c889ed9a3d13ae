package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.Cell;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.frontend.view.View;
import io.polytable.frontend.view.ViewScan;
import io.polytable.table.Bytes;
import io.polytable.table.StoreException;
import io.polytable.table.TableName;
import io.polytable.table.column.ColumnRange;
import io.polytable.table.column.Value;
import io.polytable.table.testkit.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cell tables as typed rows. */
class CellViewsTest {
    private static final Bytes INFO = Bytes.utf8("info");

    private static Value bytes(String text) {
        return new Value.OfBytes(Bytes.utf8(text));
    }

    private static Value text(String text) {
        return new Value.OfString(text);
    }

    @Test
    void cellsAreShownByRowKeyAndOneByOne() {
        try (OpenStores stores = OpenStores.inMemory(new ManualClock())) {
            CellTable table = stores.cells()
                    .create(CellTableSpec.of(
                            new TableName("default", "users"),
                            FamilySpec.of(INFO).withVersions(0, 2),
                            FamilySpec.of("more")));
            for (String row : List.of("a", "b", "c")) {
                table.write(
                        RowWrite.of(Bytes.utf8(row), new Edit.Put(INFO, Bytes.utf8("q\""), 1, Bytes.utf8(row + "1"))));
                table.write(
                        RowWrite.of(Bytes.utf8(row), new Edit.Put(INFO, Bytes.utf8("q\""), 2, Bytes.utf8(row + "2"))));
            }
            table.write(RowWrite.of(
                    Bytes.utf8("b"), new Edit.Put(Bytes.utf8("more"), Bytes.EMPTY, 3, Bytes.of(new byte[] {-1}))));
            table.write(RowWrite.of(Bytes.utf8("c"), new Edit.DeleteRow(Cell.LATEST)));
            View rows = stores.tableCells().views().get(0);
            View cells = stores.tableCells().views().get(1);
            assertThat(rows.name()).isEqualTo(new TableName("default", "users"));
            assertThat(cells.name()).isEqualTo(new TableName("default", "users_cells"));
            assertThat(read(stores, rows, ViewScan.all(rows)))
                    .containsExactly(
                            List.of(bytes("a"), text("{\"q\\\"\":\"a2\"}"), new Value.Absent()),
                            List.of(bytes("b"), text("{\"q\\\"\":\"b2\"}"), text("{\"\":\"\\\\xff\"}")));
            assertThat(read(stores, rows, ViewScan.of(List.of("more"))))
                    .containsExactly(List.of(new Value.Absent()), List.of(text("{\"\":\"\\\\xff\"}")));
            assertThat(read(stores, rows, ViewScan.of(List.of("row_key"))))
                    .containsExactly(List.of(bytes("a")), List.of(bytes("b")));
            assertThat(read(stores, cells, ViewScan.all(cells))).hasSize(5);
            ViewScan some = ViewScan.of(List.of("value", "timestamp"))
                    .within("row_key", ColumnRange.equalTo(bytes("b")))
                    .within("family", ColumnRange.equalTo(text("info")));
            assertThat(read(stores, cells, some))
                    .containsExactly(
                            List.of(bytes("b2"), new Value.OfBigint(2)), List.of(bytes("b1"), new Value.OfBigint(1)));
            ViewScan none = ViewScan.of(List.of("value")).within("family", ColumnRange.equalTo(text("nope")));
            assertThat(read(stores, cells, none)).isEmpty();
            ViewScan column = ViewScan.of(List.of("row_key"))
                    .within("qualifier", ColumnRange.equalTo(bytes("")))
                    .first(1);
            assertThat(read(stores, cells, column)).containsExactly(List.of(bytes("b")));
        }
    }

    @Test
    void cellsAreWrittenBackWithTheirTimestamps() {
        try (OpenStores stores = OpenStores.inMemory(new ManualClock())) {
            CellTableSpec spec = CellTableSpec.of(
                    new TableName("default", "users"), FamilySpec.of(INFO).withVersions(0, 3), FamilySpec.of("more"));
            CellTable table = stores.cells().create(spec);
            for (String row : List.of("a", "b")) {
                for (int time = 1; time <= 3; time++) {
                    table.write(RowWrite.of(
                            Bytes.utf8(row),
                            new Edit.Put(INFO, Bytes.utf8("q"), time * 10L, Bytes.utf8(row + time)),
                            new Edit.Put(Bytes.utf8("more"), Bytes.EMPTY, 7, Bytes.of(new byte[] {-1}))));
                }
            }
            View cells = stores.tableCells().views().get(1);
            List<List<Value>> rows = read(stores, cells, ViewScan.all(cells));
            assertThat(rows).hasSize(8);
            stores.cells().create(spec.withName(new TableName("default", "restored")));
            View restored = stores.tableCells().views().get(1);
            assertThat(restored.name().name()).isEqualTo("restored_cells");
            for (int time = 0; time < 2; time++) {
                restored.importer().orElseThrow().write(rows.subList(0, 3));
                restored.importer().orElseThrow().write(rows.subList(3, 8));
            }
            assertThat(read(stores, restored, ViewScan.all(restored))).isEqualTo(rows);
            assertThat(stores.tableCells().views().get(0).importer()).isEmpty();
            assertThat(stores.tableCells().views().get(0).importedInto()).contains(restored.name());
            List<Value> unknown = List.of(bytes("a"), text("nope"), bytes("q"), new Value.OfBigint(1), bytes("v"));
            assertThatThrownBy(() -> restored.importer().orElseThrow().write(List.of(unknown)))
                    .isInstanceOf(StoreException.class);
        }
    }

    private static List<List<Value>> read(OpenStores stores, View view, ViewScan scan) {
        List<List<Value>> rows = new ArrayList<>();
        try (View.RowCursor cursor = view.rows(stores.tables(), scan)) {
            while (cursor.next()) {
                rows.add(cursor.row());
            }
        }
        return rows;
    }
}
