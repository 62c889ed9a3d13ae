package io.polytable.hbase.client;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellRow;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.StepLimit;
import io.polytable.hbase.catalog.Region;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.jspecify.annotations.Nullable;

/** A client's open scanner on one region. Guarded by its lock. */
final class OpenScanner {
    private final long id;
    private final Region region;
    private final ClientProtos.Scan scan;
    private final String owner;
    private final CellScanner cells;
    private final ReentrantLock lock = new ReentrantLock();
    private long nextCallSequence;

    /** The row of which the last result was a part. */
    private Optional<Bytes> openRow = Optional.empty();

    /** A step that was read ahead. */
    private @Nullable ScanStep ahead;

    private Runnable aheadGone = () -> {};
    private @Nullable RuntimeException aheadFailure;
    private final AtomicBoolean inCall = new AtomicBoolean();
    private boolean closed;

    private volatile long deadlineNanos;

    OpenScanner(long id, Region region, ClientProtos.Scan scan, String owner, CellScanner cells) {
        this.id = id;
        this.region = region;
        this.scan = scan;
        this.owner = owner;
        this.cells = cells;
    }

    long id() {
        return id;
    }

    Region region() {
        return region;
    }

    /** The name of the user who opened it. */
    String owner() {
        return owner;
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

    /** Takes the lock for a call; false if another call holds it. Waits for a read-ahead, which is short. */
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

    /**
     * Reads a step ahead, unless a call holds the lock. The charge is released when the step is consumed or dropped.
     */
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
            // Reported to the next call.
            aheadFailure = failed;
            return false;
        }
    }

    /** The next step: from the read-ahead, up to the row limit, or read now. */
    ScanStep next(StepLimit limit) {
        if (closed) {
            // Its lease expired after the call had found it. What was read ahead is gone, so it must not just continue.
            throw new CellException(CellError.CLOSED, "The scanner's lease has expired");
        }
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
            // What the step scanned besides its rows counts with the rest.
            ahead = new ScanStep(
                    rows.subList(limit.rows(), rows.size()),
                    step.end(),
                    Math.max(0, step.rowsScanned() - limit.rows()),
                    step.rowsFiltered());
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

    /**
     * Whether this is the next call in sequence. A repeated call was answered already, but the client did not get the
     * answer.
     */
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
