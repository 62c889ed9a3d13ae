package io.polytable.cells.tables;

import io.polytable.cells.CellScanner;
import io.polytable.cells.ResumePoint;
import io.polytable.cells.ScanStep;
import io.polytable.cells.StepLimit;
import java.util.Optional;

/** A scanner that tells of the store beneath in the words of cells. */
record GuardedScanner(CellScanner scanner) implements CellScanner {
    @Override
    public ScanStep next(StepLimit limit) {
        return StoreFailures.translated(() -> scanner.next(limit));
    }

    @Override
    public Optional<ResumePoint> position() {
        return scanner.position();
    }

    @Override
    public void close() {
        scanner.close();
    }
}
