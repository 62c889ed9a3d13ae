package io.polytable.cells.tables;

import io.polytable.cells.request.ResumePoint;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.StepLimit;
import io.polytable.cells.store.CellScanner;
import io.polytable.cells.tables.definition.StoreFailures;
import java.util.Optional;

/** A scanner that translates the table store's exceptions into {@code CellException}s. */
record TranslatingScanner(CellScanner scanner) implements CellScanner {
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
