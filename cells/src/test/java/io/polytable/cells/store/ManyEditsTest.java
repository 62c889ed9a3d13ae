package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.polytable.cells.Cell;
import io.polytable.cells.CellLimits;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.Selection;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import io.polytable.table.testkit.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A write of as many edits as allowed holds its stripe in proportion to their number, not to its square. */
class ManyEditsTest {
    private static final Bytes F = Bytes.utf8("f");
    private static final Bytes ROW = Bytes.utf8("row");
    private static final int EDITS = CellLimits.EDITS_PER_ROW_WRITE_MAX;
    private static final Duration LONG = Duration.ofSeconds(30);

    private final MemoryStore store = new MemoryStore();
    private final CellStore cells = CellStore.open(store, CellStoreOptions.DEFAULT.withoutBackground());
    private final CellTable table = cells.create(CellTableSpec.of(new TableName("default", "t"), FamilySpec.of(F)));

    @AfterEach
    void close() {
        cells.close();
        store.close();
    }

    private static Bytes column(int number) {
        return Bytes.utf8("column-" + number);
    }

    @Test
    void deletesOfTheNewestVersions() {
        table.write(RowWrite.of(ROW, new Edit.Put(F, column(7), F)));
        List<Edit> edits = new ArrayList<>();
        for (int i = 0; i < EDITS; i++) {
            edits.add(Edit.Delete.version(F, column(i), Cell.LATEST));
        }
        assertTimeout(LONG, () -> table.write(RowWrite.of(ROW, edits)));
        assertThat(table.get(ROW, Selection.ALL).isEmpty()).isTrue();
    }
}
