package io.polytable.hbase.client;

import io.polytable.cells.StepLimit;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads the next step of a scan while the client is busy with the last one. It is one step of bounded work, read under the
 * scanner's lock, and all that wait for their clients share a bound: beyond it nothing is read ahead.
 */
final class ReadAhead {
    /** Whoever calls meanwhile waits for it: some hundredths of a second. */
    private static final long EXAMINED_MAX = 50_000;

    private final AtomicLong bytesLeft;

    ReadAhead(long bytesMax) {
        bytesLeft = new AtomicLong(bytesMax);
    }

    void start(OpenScanner scanner, StepLimit limit, Executor workers) {
        if (bytesLeft.addAndGet(-limit.bytes()) < 0) {
            release(limit);
            return;
        }
        try {
            workers.execute(() -> read(scanner, limit));
        } catch (RejectedExecutionException busy) {
            release(limit);
        }
    }

    private void release(StepLimit limit) {
        bytesLeft.addAndGet(limit.bytes());
    }

    private void read(OpenScanner scanner, StepLimit limit) {
        StepLimit bounded = new StepLimit(limit.rows(), limit.bytes(), EXAMINED_MAX, true, () -> false);
        scanner.readAhead(bounded, () -> release(limit));
    }
}
