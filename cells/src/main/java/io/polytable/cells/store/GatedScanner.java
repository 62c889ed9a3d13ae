package io.polytable.cells.store;

import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.ResumePoint;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.StepLimit;
import io.polytable.cells.store.definition.StoreFailures;
import io.polytable.frontend.answer.AnswerGate;
import io.polytable.table.Commit;
import java.util.Optional;

/**
 * A scanner of a snapshot. Its steps are returned once the snapshot is durable, and while this process owns the log. The
 * table store's exceptions are translated.
 *
 * @param seen the last commit that the snapshot may contain
 */
record GatedScanner(CellScanner scanner, AnswerGate answers, Commit seen) implements CellScanner {
    @Override
    public ScanStep next(StepLimit limit) {
        ScanStep step = StoreFailures.translated(() -> scanner.next(limit));
        awaitSafe();
        return step;
    }

    void awaitSafe() {
        if (!answers.isSafe(seen)) {
            StoreFailures.run(() -> answers.await(seen));
        }
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
