package io.polytable.cells.read;

import io.polytable.cells.request.ResumePoint;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.StepLimit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * An open scan. It sees the table as of its opening. It holds resources of
 * the store: close it. Not thread-safe.
 */
public interface CellScanner extends AutoCloseable {
    /** The next rows; once the scan has ended, an empty step with the same end. */
    ScanStep next(StepLimit limit);

    /** As {@link #next}, without blocking the caller on a network. */
    default CompletableFuture<ScanStep> nextAsync(StepLimit limit) {
        return CompletableFuture.completedFuture(next(limit));
    }

    /** Where another scan can resume; empty until a row was examined. */
    Optional<ResumePoint> position();

    @Override
    void close();
}
