package io.polytable.hbase.client;

import io.polytable.cells.CellRow;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.StepLimit;
import io.polytable.cells.store.CellScanner;
import io.polytable.hbase.catalog.Region;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.jspecify.annotations.Nullable;

/** A client's scan of one region, between its calls. Used under its lock. */
final class OpenScanner {
    private final long id;
    private final Region region;
    private final ClientProtos.Scan scan;
    private final CellScanner cells;
    private final ReentrantLock lock = new ReentrantLock();
    private long nextCallSequence;

    /** The row of which the last result showed a part. */
    private Optional<Bytes> openRow = Optional.empty();

    /** What was read before it was asked for. */
    private @Nullable ScanStep ahead;

    private Runnable aheadGone = () -> {};
    private @Nullable RuntimeException aheadFailure;
    private final AtomicBoolean inCall = new AtomicBoolean();
    private boolean closed;

    private volatile long deadlineNanos;

    OpenScanner(long id, Region region, ClientProtos.Scan scan, CellScanner cells) {
        this.id = id;
        this.region = region;
        this.scan = scan;
        this.cells = cells;
    }

    long id() {
        return id;
    }

    Region region() {
        return region;
    }

    ClientProtos.Scan scan() {
        return scan;
    }

    CellScanner cells() {
        return cells;
    }

    ReentrantLock lock() {
        return lock;
    }

    /** Takes the lock for a call; false when another call has it. For what is read ahead it waits, which is not long. */
    boolean enter() {
        if (!inCall.compareAndSet(false, true)) {
            return false;
        }
        lock.lock();
        return true;
    }

    void leave() {
        inCall.set(false);
        lock.unlock();
    }

    /** Reads a step before it is asked for, unless a call is there already; the charge ends when it is kept no more. */
    void readAhead(StepLimit limit, ReadAhead.Charge charge) {
        boolean kept = false;
        if (lock.tryLock()) {
            try {
                kept = !closed && ahead == null && aheadFailure == null && keepAhead(limit, charge);
            } finally {
                lock.unlock();
                endUnless(kept, charge);
            }
        } else {
            endUnless(kept, charge);
        }
    }

    private static void endUnless(boolean kept, ReadAhead.Charge charge) {
        if (!kept) {
            charge.end();
        }
    }

    private boolean keepAhead(StepLimit limit, ReadAhead.Charge charge) {
        try {
            ScanStep step = cells.next(limit);
            charge.holds(step.rows().stream().mapToLong(CellRow::memoryBytes).sum());
            ahead = step;
            aheadGone = charge::end;
            return true;
        } catch (RuntimeException failed) {
            // The next call's concern.
            aheadFailure = failed;
            return false;
        }
    }

    /** The next step: what was read ahead, as far as it is wanted, or what is read now. */
    ScanStep next(StepLimit limit) {
        RuntimeException failed = aheadFailure;
        if (failed != null) {
            throw failed;
        }
        ScanStep step = ahead;
        if (step == null) {
            return cells.next(limit);
        }
        List<CellRow> rows = step.rows();
        if (rows.size() > limit.rows()) {
            ahead = new ScanStep(rows.subList(limit.rows(), rows.size()), step.end());
            return new ScanStep(rows.subList(0, limit.rows()), ScanStep.End.LIMIT);
        }
        forgetAhead();
        return step;
    }

    private void forgetAhead() {
        ahead = null;
        aheadGone.run();
        aheadGone = () -> {};
    }

    void close() {
        closed = true;
        forgetAhead();
        cells.close();
    }

    /** Whether this is the call that must come next. One that comes again was answered, and its answer lost. */
    boolean takesTurn(long sequence) {
        if (sequence != nextCallSequence) {
            return false;
        }
        nextCallSequence++;
        return true;
    }

    Optional<Bytes> openRow() {
        return openRow;
    }

    void openRow(Optional<Bytes> row) {
        openRow = row;
    }

    long expectedSequence() {
        return nextCallSequence;
    }

    void leasedUntil(long nanos) {
        deadlineNanos = nanos;
    }

    boolean isExpired(long nowNanos) {
        return deadlineNanos - nowNanos < 0;
    }
}
