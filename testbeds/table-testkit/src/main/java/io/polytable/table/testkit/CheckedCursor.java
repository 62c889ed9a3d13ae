package io.polytable.table.testkit;

import static io.polytable.table.testkit.CheckedStore.require;

import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * A cursor that checks its contract. Of the caller: one thread at a time, a key only on a row, no calls after close. Of
 * the store: rows in order, within the range, and no more than the limit.
 */
final class CheckedCursor implements Cursor {
    /** The requested scan, against which the rows are checked. */
    record Scan(int table, KeyRange range, Direction direction, long limit) {}

    private final Cursor beneath;
    private final Scan scan;
    private final Partitions partitions;
    private final OpenResources open;
    private final SingleThreadGuard guard = new SingleThreadGuard("cursor");
    private @Nullable Bytes last;
    private long rows;
    private boolean onRow;
    private boolean ended;
    private boolean closed;

    CheckedCursor(Cursor beneath, Scan scan, Partitions partitions, OpenResources open) {
        this.beneath = beneath;
        this.scan = scan;
        this.partitions = partitions;
        this.open = open;
        open.opened(this);
    }

    @Override
    public boolean next() {
        return guard.call(() -> {
            require(!closed, "a cursor is used after it was closed");
            onRow = beneath.next();
            if (onRow) {
                checkRow(beneath.key());
            }
            ended = !onRow;
            return onRow;
        });
    }

    @Override
    public boolean seek(Bytes key) {
        return guard.call(() -> {
            require(!closed, "a cursor is used after it was closed");
            onRow = beneath.seek(key);
            if (onRow) {
                int order = beneath.key().compareTo(key);
                require(scan.direction() == Direction.FORWARD ? order >= 0 : order <= 0, "a seek stopped too early");
                checkRow(beneath.key());
            }
            ended = !onRow;
            return onRow;
        });
    }

    private void checkRow(Bytes key) {
        require(!ended, "a cursor continued after its end");
        require(++rows <= scan.limit(), "a cursor shows more rows than its limit");
        require(scan.range().contains(key), "a cursor shows a row outside of its range");
        Bytes before = last;
        if (before != null) {
            int order = before.compareTo(key);
            require(scan.direction() == Direction.FORWARD ? order < 0 : order > 0, "a cursor's rows are out of order");
        }
        if (scan.range().partitionLength() > 0) {
            partitions.check(scan.table(), key, scan.range().partitionLength());
        }
        last = key;
    }

    @Override
    public Bytes key() {
        return guard.call(() -> {
            require(onRow && !closed, "the key of a cursor that is on no row");
            return beneath.key();
        });
    }

    @Override
    public Bytes value() {
        return guard.call(() -> {
            require(onRow && !closed, "the value of a cursor that is on no row");
            return beneath.value();
        });
    }

    @Override
    public ByteSlice keySlice() {
        return guard.call(() -> {
            require(onRow && !closed, "the key of a cursor that is on no row");
            require(beneath.keySlice().compareWith(beneath.key()) == 0, "a slice shows another key");
            return beneath.keySlice();
        });
    }

    @Override
    public ByteSlice valueSlice() {
        return guard.call(() -> {
            require(onRow && !closed, "the value of a cursor that is on no row");
            require(beneath.valueSlice().compareWith(beneath.value()) == 0, "a slice shows another value");
            return beneath.valueSlice();
        });
    }

    @Override
    public void close() {
        guard.call(() -> {
            closed = true;
            open.closed(this);
            beneath.close();
            return closed;
        });
    }
}
