package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.cells.Cell;
import io.polytable.cells.CellRow;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.RowRange;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.ResumePoint;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.StepLimit;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import io.polytable.table.testkit.ManualClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A row of very many columns is written, paged through, read in places, deleted and compacted on the engine. */
class WideRowTest {
    private static final Bytes F = Bytes.utf8("f");
    private static final Bytes ROW = Bytes.utf8("wide");
    private static final int COLUMNS = 30_000;
    private static final int PAGE = 7_000;

    @TempDir
    Path directory;

    @Test
    void pagesAndSingleColumnsDoNotReadTheRest() {
        try (OpenStores stores = OpenStores.onEngine(directory, new ManualClock())) {
            CellTable table = stores.cells().create(CellTableSpec.of(new TableName("default", "t"), FamilySpec.of(F)));
            fill(table);
            stores.reopen();
            CellTable again = stores.cells().table(table.name());
            assertThat(pages(again)).isEqualTo(COLUMNS);
            assertThat(again.get(ROW, Selection.column(F, name(21_415))).cells())
                    .hasSize(1);
            CellRow page = again.get(ROW, Selection.ALL.withFamilyPage(3, 20_000));
            assertThat(page.cells())
                    .extracting(Cell::qualifier)
                    .containsExactly(name(20_000), name(20_001), name(20_002));

            again.write(RowWrite.of(ROW, new Edit.DeleteRow(Cell.LATEST)));
            assertThat(again.get(ROW, Selection.ALL).isEmpty()).isTrue();
            stores.cells().compact(again.name(), true);
            stores.cells().compact(again.name(), true);
            assertThat(again.get(ROW, Selection.ALL.asRaw()).isEmpty()).isTrue();
        }
    }

    private static Bytes name(int column) {
        return Bytes.utf8("c" + (1_000_000 + column));
    }

    private static void fill(CellTable table) {
        List<Edit> edits = new ArrayList<>();
        for (int i = 0; i < COLUMNS; i++) {
            edits.add(new Edit.Put(F, name(i), 1, Bytes.utf8("v")));
            if (edits.size() == 5_000) {
                table.write(RowWrite.of(ROW, edits));
                edits.clear();
            }
        }
    }

    /** Counts the columns page by page, each page a scan of its own. */
    private static int pages(CellTable table) {
        ScanRequest request = ScanRequest.of(RowRange.of(ROW), Selection.ALL).withBatchCells(PAGE);
        int cells = 0;
        Optional<ResumePoint> after = Optional.empty();
        while (true) {
            try (CellScanner scanner = table.scan(after.map(request::resumedAt).orElse(request))) {
                ScanStep step = scanner.next(StepLimit.of(1, Long.MAX_VALUE));
                for (CellRow row : step.rows()) {
                    cells += row.cells().size();
                }
                if (!step.hasMore()) {
                    return cells;
                }
                after = scanner.position();
            }
        }
    }
}
