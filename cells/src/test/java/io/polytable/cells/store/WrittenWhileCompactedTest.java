package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.Selection;
import io.polytable.table.Bytes;
import io.polytable.table.Snapshot;
import io.polytable.table.TableName;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A compaction removes what it saw in a snapshot, never what was written since. */
class WrittenWhileCompactedTest {
    private static final Bytes F = Bytes.utf8("f");
    private static final Bytes ROW = Bytes.utf8("row");

    /** More garbage than is removed in one commit. */
    private static final int COLUMNS = 600;

    /** Runs an action right after the next snapshot. */
    private static final class StoppingStore extends ForwardingStore {
        private Runnable behindSnapshot = () -> {};

        StoppingStore() {
            super(new MemoryStore());
        }

        @Override
        public Snapshot snapshot() {
            Snapshot taken = super.snapshot();
            Runnable action = behindSnapshot;
            behindSnapshot = () -> {};
            action.run();
            return taken;
        }
    }

    private static Bytes column(int number) {
        return Bytes.utf8("c" + (1_000 + number));
    }

    private static Edit.Put put(int column, long timestamp, String value) {
        return new Edit.Put(F, column(column), timestamp, Bytes.utf8(value));
    }

    private static List<Cell> stored(CellTable table) {
        return table.get(ROW, Selection.ALL.asRaw().withMaxVersions(10)).cells();
    }

    @Test
    void aVersionThatIsNoneTooManyByNowStays() {
        try (StoppingStore store = new StoppingStore();
                CellStore cells = CellStore.open(store, CellStoreOptions.DEFAULT.withoutBackground())) {
            CellTable table = cells.create(CellTableSpec.of(
                    new TableName("default", "t"), FamilySpec.of(F).withVersions(0, 1)));
            List<Edit> edits = new ArrayList<>();
            for (int i = 0; i < COLUMNS; i++) {
                edits.add(put(i, 1, "old"));
                edits.add(put(i, 2, "young"));
            }
            table.write(RowWrite.of(ROW, edits));
            store.behindSnapshot = () -> {
                table.write(RowWrite.of(ROW, new Edit.Delete(CellKind.DELETE_VERSION, F, column(0), 2)));
                table.write(RowWrite.of(ROW, put(0, 1, "new")));
            };

            cells.compact(table.name(), false);

            assertThat(table.get(ROW, Selection.column(F, column(0))).value(F, column(0)))
                    .contains(Bytes.utf8("new"));
            assertThat(stored(table)).filteredOn(cell -> cell.timestamp() == 1).hasSize(1);
            assertThat(stored(table))
                    .filteredOn(cell -> cell.timestamp() == 2 && !cell.kind().isDelete())
                    .hasSizeBetween(COLUMNS - 1, COLUMNS);
        }
    }
}
