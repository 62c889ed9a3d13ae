package io.polytable.hbase.client;

import io.polytable.cells.CellScanner;
import io.polytable.hbase.catalog.Region;
import io.polytable.table.Bytes;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

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
