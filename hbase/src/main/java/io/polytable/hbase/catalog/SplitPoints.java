package io.polytable.hbase.catalog;

import io.polytable.cells.CellReads;
import io.polytable.cells.CellRow;
import io.polytable.cells.CellScanner;
import io.polytable.cells.ScanRequest;
import io.polytable.cells.ScanStep;
import io.polytable.cells.Selection;
import io.polytable.cells.StepLimit;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a region is best split: at the middle one of its rows. Found by one walk that keeps a sample of row keys, thinned
 * out whenever it has grown too large, so that it takes little memory for any number of rows.
 */
public final class SplitPoints {
    private static final int SAMPLE_MAX = 4_096;
    private static final int STEP_ROWS = 1_000;
    private static final long STEP_BYTES = 1 << 20;

    private SplitPoints() {}

    /** Empty when the region has too few rows. */
    public static Optional<Bytes> middle(Region region) {
        List<Bytes> sample = new ArrayList<>();
        long stride = 1;
        long rows = 0;
        try (CellScanner scanner = open(region.reading(), region)) {
            ScanStep step;
            do {
                step = scanner.next(StepLimit.of(STEP_ROWS, STEP_BYTES));
                for (CellRow row : step.rows()) {
                    if (rows++ % stride == 0) {
                        sample.add(row.row().copy());
                    }
                }
                if (sample.size() > SAMPLE_MAX) {
                    stride *= 2;
                    thinOut(sample);
                }
            } while (step.hasMore());
        }
        Optional<Bytes> middle = sample.size() < 2 ? Optional.empty() : Optional.of(sample.get(sample.size() / 2));
        return middle.filter(row -> !row.equals(region.range().from()));
    }

    private static CellScanner open(CellReads reads, Region region) {
        // One cell of each family says that the row is there.
        Selection keys = Selection.ALL.withFamilyPage(1, 0);
        return reads.scan(ScanRequest.of(region.range(), keys));
    }

    /** Keeps every second one. */
    private static void thinOut(List<Bytes> sample) {
        List<Bytes> kept = new ArrayList<>(sample.size() / 2 + 1);
        for (int i = 0; i < sample.size(); i += 2) {
            kept.add(sample.get(i));
        }
        sample.clear();
        sample.addAll(kept);
    }
}
