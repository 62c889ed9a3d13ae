package io.polytable.hbase.client;

import io.polytable.cells.request.StepLimit;
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

    /** A client may ask for results of a byte. */
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
        StepLimit bounded = new StepLimit(limit.rows(), limit.bytes(), EXAMINED_MAX, true, () -> false);
        try {
            workers.execute(() -> scanner.readAhead(bounded, charge));
        } catch (RejectedExecutionException busy) {
            charge.end();
        }
    }

    /** What one step takes of the bound: a step ends after the cell with which it is large enough, which may be far larger. */
    final class Charge {
        private long bytes;

        /** The step is so large; beyond the bound nobody else begins. */
        void holds(long held) {
            if (held > bytes) {
                bytesLeft.addAndGet(bytes - held);
                bytes = held;
            }
        }

        /** The step is kept no more. */
        void end() {
            bytesLeft.addAndGet(bytes);
            bytes = 0;
        }
    }
}
