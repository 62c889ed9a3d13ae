package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.RowRange;
import io.polytable.cells.layout.CellKeys;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.Nonce;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.StepLimit;
import io.polytable.cells.store.definition.Definitions;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.testkit.ManualClock;
import io.polytable.table.write.Batch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Corrupt rows are found, fail reads with a typed error, and are repaired. */
class CellCheckTest {
    private static final Bytes F = Bytes.utf8("f");

    @Test
    void damageIsFoundAndRepaired() {
        try (OpenStores stores = OpenStores.inMemory(new ManualClock())) {
            CellTable table = stores.cells().create(CellTableSpec.of(new TableName("default", "t"), FamilySpec.of(F)));
            for (String row : List.of("a", "b", "c", "d")) {
                table.write(RowWrite.of(Bytes.utf8(row), new Edit.Increment(F, F, 1))
                        .with(new Nonce(1, row.charAt(0))));
            }
            CellStore cells = stores.tableCells();
            assertThat(cells.check().isClean()).isTrue();
            assertThat(cells.check().rowCount()).isGreaterThanOrEqualTo(8);

            Table physical = physical(stores);
            List<Bytes> keys = keysOfRows(stores, physical);
            stores.tables()
                    .commit(new Batch()
                            .put(physical, CellKeys.stored(keys.get(1)), Bytes.utf8("damage"))
                            .put(physical, RowKey.whole(Bytes.of(new byte[] {'c', 0, 7})), Bytes.EMPTY));
            assertThatThrownBy(() -> scanAll(table))
                    .isInstanceOfSatisfying(
                            CellException.class, e -> assertThat(e.error()).isEqualTo(CellError.CORRUPT));
            assertThat(cells.check().findingCount()).isEqualTo(2);
            assertThat(cells.repair().findingCount()).isEqualTo(2);
            assertThat(cells.check().isClean()).isTrue();
            assertThat(scanAll(table)).isEqualTo(3);
        }
    }

    @Test
    void damageOfASavedCopyIsFoundAndRepaired() {
        try (OpenStores stores = OpenStores.inMemory(new ManualClock())) {
            TableName name = new TableName("default", "t");
            CellTable table = stores.cells().create(CellTableSpec.of(name, FamilySpec.of(F)));
            table.write(RowWrite.of(Bytes.utf8("row"), new Edit.Put(F, F, F)));
            Table source = physical(stores);
            stores.cells().save(name, "saved");
            Table copy = stores.tables().tables().stream()
                    .filter(found -> CellStore.isCells(found.name()) && found.id() != source.id())
                    .findFirst()
                    .orElseThrow();
            Bytes key = keysOfRows(stores, copy).get(0);
            stores.tables().commit(new Batch().put(copy, CellKeys.stored(key), Bytes.utf8("damage")));
            assertThat(CellStore.checkStored(stores.tables()).findingCount()).isEqualTo(1);
            assertThat(stores.tableCells().repair().findingCount()).isEqualTo(1);
            assertThat(stores.tableCells().check().isClean()).isTrue();
        }
    }

    private static Table physical(OpenStores stores) {
        return stores.tables().tables().stream()
                .filter(table -> !table.name().equals(Definitions.NAME))
                .findFirst()
                .orElseThrow();
    }

    private static List<Bytes> keysOfRows(OpenStores stores, Table physical) {
        List<Bytes> keys = new ArrayList<>();
        try (Cursor cursor = stores.tables().scan(physical, KeyRange.ALL)) {
            while (cursor.next()) {
                if (cursor.key().at(0) != 0) {
                    keys.add(cursor.key());
                }
            }
        }
        return keys;
    }

    private static int scanAll(CellTable table) {
        try (CellScanner scanner = table.scan(ScanRequest.of(RowRange.ALL, Selection.ALL))) {
            return scanner.next(StepLimit.of(100, 1 << 20)).rows().size();
        }
    }
}
