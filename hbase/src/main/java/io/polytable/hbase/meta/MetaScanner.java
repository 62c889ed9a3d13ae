package io.polytable.hbase.meta;

import io.polytable.cells.Cell;
import io.polytable.cells.CellRow;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.CellFilter;
import io.polytable.cells.request.FamilySelection;
import io.polytable.cells.request.FilterDecision;
import io.polytable.cells.request.ResumePoint;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.StepLimit;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/** A scanner over in-memory rows with a few cells of one version each. */
final class MetaScanner implements CellScanner {
    private final Iterator<Map.Entry<Bytes, List<Cell>>> rows;
    private final Selection selection;
    private Optional<ResumePoint> position = Optional.empty();

    MetaScanner(NavigableMap<Bytes, List<Cell>> rows, Selection selection) {
        this.rows = rows.entrySet().iterator();
        this.selection = selection;
    }

    @Override
    public ScanStep next(StepLimit limit) {
        List<CellRow> found = new ArrayList<>();
        long bytes = 0;
        while (rows.hasNext()) {
            if (selection.filter().filter(CellFilter::isDone).isPresent()) {
                return new ScanStep(found, ScanStep.End.SCAN_DONE);
            }
            Map.Entry<Bytes, List<Cell>> row = rows.next();
            List<Cell> cells = filtered(selected(row.getValue()));
            position = Optional.of(ResumePoint.afterRow(row.getKey()));
            if (!cells.isEmpty()) {
                found.add(new CellRow(row.getKey(), cells, false));
                bytes += cells.stream().mapToLong(Cell::sizeBytes).sum();
            }
            if (found.size() >= limit.rows() || bytes >= limit.bytes()) {
                return new ScanStep(found, rows.hasNext() ? ScanStep.End.LIMIT : ScanStep.End.RANGE_DONE);
            }
        }
        return new ScanStep(found, ScanStep.End.RANGE_DONE);
    }

    private List<Cell> selected(List<Cell> cells) {
        List<Cell> selected = new ArrayList<>(cells.size());
        for (Cell cell : cells) {
            FamilySelection family = selection.of(cell.family());
            boolean named = family.qualifiers().isEmpty() || family.qualifiers().contains(cell.qualifier());
            if (selection.wants(cell.family())
                    && named
                    && family.times().orElse(selection.times()).contains(cell.timestamp())) {
                selected.add(cell);
            }
        }
        return selected;
    }

    private List<Cell> filtered(List<Cell> cells) {
        if (selection.filter().isEmpty() || cells.isEmpty()) {
            return cells;
        }
        CellFilter filter = selection.filter().get();
        filter.reset();
        if (filter.rejectsRowKey(cells.get(0))) {
            return List.of();
        }
        List<Cell> left = new ArrayList<>(cells.size());
        for (Cell cell : cells) {
            FilterDecision answer = filter.filter(cell);
            boolean included = answer == FilterDecision.INCLUDE
                    || answer == FilterDecision.INCLUDE_AND_NEXT_COLUMN
                    || answer == FilterDecision.INCLUDE_AND_NEXT_ROW;
            if (included) {
                left.add(filter.transform(cell));
            }
            if (answer == FilterDecision.NEXT_ROW || answer == FilterDecision.INCLUDE_AND_NEXT_ROW) {
                break;
            }
        }
        if (filter.looksAtRows()) {
            filter.filterRowCells(left);
        }
        return !left.isEmpty() && filter.rejectsRow() ? List.of() : left;
    }

    @Override
    public Optional<ResumePoint> position() {
        return position;
    }

    @Override
    public void close() {
        // Nothing to release: the rows are an immutable map in memory.
    }
}
