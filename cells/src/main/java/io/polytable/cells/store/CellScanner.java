package io.polytable.cells.store;

import io.polytable.cells.request.ResumePoint;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.StepLimit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A scan under way. With {@link CellCapability#SNAPSHOT_READS} it sees the table as it was when it was opened. It holds
 * resources of the store: close it. One thread at a time.
 */
public interface CellScanner extends AutoCloseable {
    /** The next rows; after an end without more, an empty step with the same end. */
    ScanStep next(StepLimit limit);

    /** As {@link #next}, without blocking the caller on a network. */
    default CompletableFuture<ScanStep> nextAsync(StepLimit limit) {
        return CompletableFuture.completedFuture(next(limit));
    }

    /** Where another scan would go on; empty while nothing was looked at. */
    Optional<ResumePoint> position();

    @Override
    void close();
}
