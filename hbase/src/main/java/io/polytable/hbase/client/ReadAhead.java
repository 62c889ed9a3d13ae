package io.polytable.hbase.client;

import io.polytable.cells.request.StepLimit;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads the next step of a scan while the client processes the last one. A read-ahead is one step of bounded work,
 * under the scanner's lock. All steps that wait for their clients share one memory budget; beyond it nothing is read
 * ahead.
 */
final class ReadAhead {
    /** Keeps a read-ahead to some hundredths of a second, since a call that arrives meanwhile waits for it. */
    private static final long EXAMINED_MAX = 50_000;

    /** The minimum charge, since a client may request results of one byte. */
    private static final long BYTES_LEAST = 1 << 20;

    private final AtomicLong bytesLeft;

    ReadAhead(long bytesMax) {
        bytesLeft = new AtomicLong(bytesMax);
    }

    void start(OpenScanner scanner, StepLimit limit, Executor workers) {
        Charge charge = new Charge();
        charge.holds(Math.max(limit.bytes(), BYTES_LEAST));
        if (bytesLeft.get() < 0) {
            charge.end();
            return;
        }
        StepLimit bounded =
                new StepLimit(limit.rows(), limit.bytes(), limit.counted(), EXAMINED_MAX, true, () -> false);
        try {
            workers.execute(() -> scanner.readAhead(bounded, charge));
        } catch (RejectedExecutionException busy) {
            charge.end();
        }
    }

    /**
     * The share of the budget that one step holds. A step ends after the cell that reaches its limit, so it may be far
     * larger than the limit.
     */
    final class Charge {
        private long bytes;

        /** Raises the charge to the step's size. Once the budget is exceeded, no other read-ahead starts. */
        void holds(long held) {
            if (held > bytes) {
                bytesLeft.addAndGet(bytes - held);
                bytes = held;
            }
        }

        /** Releases the charge. */
        void end() {
            bytesLeft.addAndGet(bytes);
            bytes = 0;
        }
    }
}
