package io.polytable.hbase.catalog;

import io.polytable.cells.Cell;
import io.polytable.cells.CellRow;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.StepLimit;
import io.polytable.cells.store.CellReads;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Measures a region and finds its split point, the row with half of the bytes before it. One scan keeps a sample of
 * row keys and halves it whenever it grows too large, so that memory is bounded for any number of rows.
 */
public final class SplitPoints {
    private static final int SAMPLE_MAX = 4_096;
    private static final StepLimit STEP = new StepLimit(1_000, 1 << 20, 100_000, true, () -> false);

    private final List<Place> sample = new ArrayList<>();
    private long stride = 1;
    private long rows;
    private long bytes;
    private Bytes last = Bytes.EMPTY;

    /** A sampled row, and the region's bytes before it. */
    private record Place(Bytes row, long bytesBefore) {}

    /**
     * The result of a scan over a region.
     *
     * @param bytes the size of its visible cells, in all versions
     * @param middle the split point; empty if the region has too few rows
     */
    public record Measure(long bytes, Optional<Bytes> middle) {}

    private SplitPoints() {}

    public static Measure measure(Region region) {
        SplitPoints points = new SplitPoints();
        try (CellScanner scanner = open(region.uncounted(), region)) {
            ScanStep step;
            do {
                step = scanner.next(STEP);
                step.rows().forEach(points::add);
            } while (step.hasMore());
        }
        return new Measure(
                points.bytes,
                points.middle().filter(row -> !row.equals(region.range().from())));
    }

    public static Optional<Bytes> middle(Region region) {
        return measure(region).middle();
    }

    private static CellScanner open(CellReads reads, Region region) {
        return reads.scan(ScanRequest.of(region.range(), Selection.ALL.withMaxVersions(Integer.MAX_VALUE)));
    }

    private void add(CellRow row) {
        // A wide row arrives in several parts.
        if (!row.row().equals(last)) {
            last = row.row().copy();
            if (rows++ % stride == 0) {
                sample.add(new Place(last, bytes));
            }
            if (sample.size() > SAMPLE_MAX) {
                stride *= 2;
                thinOut();
            }
        }
        for (Cell cell : row.cells()) {
            bytes += cell.sizeBytes();
        }
    }

    private Optional<Bytes> middle() {
        if (sample.size() < 2) {
            return Optional.empty();
        }
        int at = 1;
        while (at + 1 < sample.size() && sample.get(at + 1).bytesBefore() <= bytes / 2) {
            at++;
        }
        return Optional.of(sample.get(at).row());
    }

    /** Drops every second sample. */
    private void thinOut() {
        List<Place> kept = new ArrayList<>(sample.size() / 2 + 1);
        for (int i = 0; i < sample.size(); i += 2) {
            kept.add(sample.get(i));
        }
        sample.clear();
        sample.addAll(kept);
    }
}
