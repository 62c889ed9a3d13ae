package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.cells.Cell;
import io.polytable.cells.CellPosition;
import io.polytable.cells.RowRange;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.CellFilter;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.Edit.DeleteRow;
import io.polytable.cells.request.Edit.Put;
import io.polytable.cells.request.FamilySelection;
import io.polytable.cells.request.FilterDecision;
import io.polytable.cells.request.ResumePoint;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.StepLimit;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Scans: ranges, directions, steps, pages, filters. */
public abstract class CellScanContract extends CellWriteContract {
    private void tenRows() {
        for (int row = 0; row < 10; row++) {
            for (int column = 0; column < 4; column++) {
                put("r" + row, "c" + column, 1, row + "." + column);
            }
        }
    }

    /** Every row's key and how many cells, over the whole scan in steps. */
    private List<String> scan(ScanRequest request, StepLimit limit) {
        List<String> rows = new ArrayList<>();
        try (CellScanner scanner = table.scan(request)) {
            ScanStep step = scanner.next(limit);
            while (true) {
                step.rows()
                        .forEach(row ->
                                rows.add(row.row().utf8() + ":" + row.cells().size()));
                if (!step.hasMore()) {
                    return rows;
                }
                step = scanner.next(limit);
            }
        }
    }

    @Test
    void scansGoBothWaysWithinARangeAndALimit() {
        tenRows();
        RowRange range = new RowRange(b("r3"), b("r6"));
        StepLimit two = StepLimit.of(2, 1 << 20);
        assertThat(scan(ScanRequest.of(range, Selection.ALL), two)).containsExactly("r3:4", "r4:4", "r5:4");
        assertThat(scan(ScanRequest.of(range, Selection.ALL).inReverse(), two)).containsExactly("r5:4", "r4:4", "r3:4");
        assertThat(scan(ScanRequest.of(RowRange.ALL, Selection.ALL).withRowLimit(2), two))
                .containsExactly("r0:4", "r1:4");
        assertThat(scan(ScanRequest.of(range, Selection.ALL).withBatchCells(3), two))
                .containsExactly("r3:3", "r3:1", "r4:3", "r4:1", "r5:3", "r5:1");
        assertThat(scan(ScanRequest.of(range, Selection.ALL.withFamilyPage(2, 1)), two))
                .containsExactly("r3:2", "r4:2", "r5:2");
    }

    @Test
    void stepsEndAtTheirBoundsAndSayWhy() {
        tenRows();
        try (CellScanner scanner =
                table.scan(ScanRequest.of(RowRange.ALL, Selection.ALL.withFilter(cell -> FilterDecision.SKIP)))) {
            ScanStep beat = scanner.next(new StepLimit(10, 1 << 20, 5, false, () -> false));
            assertThat(beat.end()).isEqualTo(ScanStep.End.HEARTBEAT);
            assertThat(beat.rows()).isEmpty();
            assertThat(scanner.position()).isPresent();
        }
        try (CellScanner scanner = table.scan(ScanRequest.of(RowRange.ALL, Selection.ALL))) {
            ScanStep part = scanner.next(new StepLimit(10, 60, 100, true, () -> false));
            assertThat(part.rows()).hasSize(1);
            assertThat(part.rows().get(0).partial()).isTrue();
        }
        assertThat(scan(ScanRequest.of(RowRange.ALL, Selection.ALL), StepLimit.of(1, 1)))
                .hasSize(10);
    }

    @Test
    void aScanSeesTheTableAsItWasWhenItWasOpened() {
        tenRows();
        try (CellScanner scanner = table.scan(ScanRequest.of(RowRange.ALL, Selection.ALL));
                CellSnapshot snapshot = table.snapshot()) {
            table.write(RowWrite.of(b("r9"), new DeleteRow(Cell.LATEST)));
            put("r99", "c0", 1, "later");
            ScanStep all = scanner.next(StepLimit.of(100, 1 << 20));
            assertThat(all.rows()).hasSize(10);
            assertThat(all.end()).isEqualTo(ScanStep.End.RANGE_DONE);
            assertThat(snapshot.get(b("r9"), Selection.ALL).isEmpty()).isFalse();
            assertThat(snapshot.get(b("r99"), Selection.ALL).isEmpty()).isTrue();
        }
    }

    @Test
    void aWideRowIsReadInPagesThatResume() {
        List<Edit> edits = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            edits.add(new Put(F, b("c" + (1000 + i)), 1, b("v")));
        }
        table.write(RowWrite.of(ROW, edits));
        List<Cell> all = new ArrayList<>();
        Optional<ResumePoint> after = Optional.empty();
        ScanRequest request = ScanRequest.of(RowRange.of(ROW), Selection.ALL).withBatchCells(70);
        for (int page = 0; page < 8; page++) {
            ScanRequest next = after.map(request::resumedAt).orElse(request);
            try (CellScanner scanner = table.scan(next)) {
                ScanStep step = scanner.next(StepLimit.of(1, 1 << 20));
                step.rows().forEach(row -> all.addAll(row.cells()));
                after = scanner.position();
            }
        }
        assertThat(all).hasSize(500).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void filtersSkipSeekAndDecideOnRows() {
        tenRows();
        CellFilter onlySecondColumn = new CellFilter() {
            @Override
            public FilterDecision filter(Cell cell) {
                int order = cell.qualifier().compareTo(b("c1"));
                return order < 0 ? FilterDecision.SEEK : order == 0 ? FilterDecision.INCLUDE : FilterDecision.NEXT_ROW;
            }

            @Override
            public Optional<CellPosition> hint(Cell cell) {
                return Optional.of(CellPosition.startOf(cell.row(), F, b("c1")));
            }
        };
        StepLimit limit = StepLimit.of(100, 1 << 20);
        assertThat(scan(
                        ScanRequest.of(new RowRange(b("r8"), Bytes.EMPTY), Selection.ALL.withFilter(onlySecondColumn)),
                        limit))
                .containsExactly("r8:1", "r9:1");
        assertThat(scan(ScanRequest.of(RowRange.ALL, Selection.ALL.withFilter(new EveryThirdRow())), limit))
                .containsExactly("r0:4", "r3:4", "r6:4", "r9:4");
        assertThat(scan(ScanRequest.of(RowRange.ALL, Selection.ALL.withFilter(new FirstRows(2))), limit))
                .containsExactly("r0:4", "r1:4");
        assertThat(scan(
                        ScanRequest.of(RowRange.ALL, Selection.ALL.withFilter(new FirstRows(2)))
                                .inReverse(),
                        limit))
                .containsExactly("r9:4", "r8:4");
    }

    /** Wants rows whose number is a multiple of three, and seeks over the others. */
    private static final class EveryThirdRow implements CellFilter {
        @Override
        public FilterDecision filter(Cell cell) {
            return number(cell) % 3 == 0 ? FilterDecision.INCLUDE : FilterDecision.SEEK;
        }

        @Override
        public Optional<CellPosition> hint(Cell cell) {
            return Optional.of(CellPosition.startOf(b("r" + (number(cell) / 3 * 3 + 3))));
        }

        private static int number(Cell cell) {
            return cell.row().at(1) - '0';
        }
    }

    /** Wants so many rows and no more. */
    private static final class FirstRows implements CellFilter {
        private int left;

        FirstRows(int count) {
            left = count;
        }

        @Override
        public FilterDecision filter(Cell cell) {
            return FilterDecision.INCLUDE;
        }

        @Override
        public boolean isDone() {
            return left == 0;
        }

        @Override
        public boolean looksAtRows() {
            return true;
        }

        @Override
        public boolean rejectsRow() {
            left--;
            return false;
        }
    }

    @Test
    void manyRowsAreReadAsEachAlone() {
        tenRows();
        put("r3", "c0", 2, "newer");
        table.write(RowWrite.of(b("r4"), new DeleteRow(1)));
        table.write(RowWrite.of(b("r5"), new Put(G, b("c9"), 1, b("g"))));
        List<Bytes> rows = List.of(b("r5"), b("absent"), b("r3"), b("r9"), b("r3"), b("r4"), b("z"), b("r0"));
        Selection named =
                Selection.ALL.withColumns(F, List.of(b("c1"), b("c3"))).with(G, FamilySelection.WHOLE);
        for (Selection selection : List.of(Selection.ALL, versions(3), named, Selection.ALL.withFamilyPage(1, 1))) {
            assertThat(table.getAll(rows, selection))
                    .isEqualTo(
                            rows.stream().map(row -> table.get(row, selection)).toList());
        }
    }

    @Test
    void ofManyRowsNoMoreAreReadThanThereIsRoomFor() {
        tenRows();
        List<Bytes> rows = List.of(b("r8"), b("r7"), b("r6"), b("r5"), b("r4"));
        long four = 4 * table.get(b("r4"), Selection.ALL).memoryBytes();
        for (List<Bytes> asked : List.of(rows, rows.subList(0, 3))) {
            assertThat(table.getSome(asked, Selection.ALL, 1))
                    .filteredOn(Optional::isPresent)
                    .hasSize(1);
        }
        assertThat(table.getSome(rows, Selection.ALL, four))
                .filteredOn(Optional::isPresent)
                .hasSize(4);
    }
}
