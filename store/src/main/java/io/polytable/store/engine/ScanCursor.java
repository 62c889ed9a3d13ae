package io.polytable.store.engine;

import io.polytable.store.merge.MergeCursor;
import io.polytable.store.merge.Source;
import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over a snapshot that can release everything it holds and resume after its last key. It does so when the
 * snapshot moves to the state alone, and periodically: a RocksDB iterator keeps the write buffers and files alive that
 * existed when it was opened. The applier releases idle cursors. Hence access to the sources is guarded by a spin lock.
 * Keys and slices that were handed out lie on the heap and stay valid.
 */
final class ScanCursor implements Cursor {
    private static final long RENEW_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Steps between two reads of the clock. */
    private static final int CLOCK_STEPS = 1024;

    private final SnapshotView view;
    private final OpenScans scans;
    private final EngineTable table;
    private final KeyRange range;
    private final Direction direction;
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile long openedNanos;

    /** The open sources; null after a release. */
    private volatile @Nullable Rows rows;

    private long left;
    private int steps;
    private boolean closed;
    private boolean broken;

    /** Whether it is on a row, and whether it ever was. */
    private boolean shows;

    private boolean started;

    /** The current row's key, kept by a release. Not the value: thousands of idle cursors may be on large ones. */
    private Bytes keptKey = Bytes.EMPTY;

    private final ByteSlice keptKeySlice = new ByteSlice();

    private record Rows(SnapshotView.Layer layer, MergeCursor cursor) {}

    private ScanCursor(
            SnapshotView view, OpenScans scans, EngineTable table, KeyRange range, Direction direction, long limit) {
        this.view = view;
        this.scans = scans;
        this.table = table;
        this.range = range;
        this.direction = direction;
        left = limit;
    }

    /** Opens the sources at once, so that the caller gets a failure. */
    static ScanCursor open(
            SnapshotView view, OpenScans scans, EngineTable table, KeyRange range, Direction direction, long limit) {
        ScanCursor cursor = new ScanCursor(view, scans, table, range, direction, limit);
        view.opened(cursor);
        // After a release it holds nothing else of a table that may be dropped meanwhile.
        table.state().pin();
        return Opening.orClose(cursor::releaseView, () -> {
            cursor.rows = cursor.open(range);
            scans.add(cursor);
            return cursor;
        });
    }

    private Rows open(KeyRange rest) {
        SnapshotView.Layer layer = view.enter();
        return Opening.orClose(layer::leave, () -> {
            List<Source> sources = layer.sources(table, rest, direction);
            openedNanos = scans.nanoTime();
            return new Rows(layer, new MergeCursor(sources, direction, Long.MAX_VALUE, layer::leave));
        });
    }

    @Override
    public boolean next() {
        lock();
        try {
            return moved(left > 0 && step(present(), null));
        } finally {
            busy.set(false);
        }
    }

    @Override
    public boolean seek(Bytes key) {
        lock();
        try {
            return moved(left > 0 && step(present(), key));
        } finally {
            busy.set(false);
        }
    }

    /** After a failed step the sources' positions are undefined, and a RocksDB iterator must not be read. */
    private boolean step(MergeCursor cursor, @Nullable Bytes target) {
        try {
            return target == null ? cursor.next() : cursor.seek(target);
        } catch (RuntimeException | Error e) {
            broken = true;
            rows = null;
            cursor.close();
            throw e;
        }
    }

    private boolean moved(boolean there) {
        shows = there;
        if (there) {
            started = true;
            left--;
        } else {
            // The end is final.
            left = 0;
        }
        return there;
    }

    private void lock() {
        while (!busy.compareAndSet(false, true)) {
            Thread.onSpinWait();
        }
    }

    /** The sources after the last row shown; reopens them if they were released or are due for renewal. */
    private MergeCursor present() {
        requireUsable();
        Rows held = rows;
        if (held != null && (!view.isPresent(held.layer()) || (++steps % CLOCK_STEPS == 0 && isOld()))) {
            release(held);
            held = null;
        }
        if (held == null) {
            held = open(rest());
            rows = held;
        }
        return held.cursor();
    }

    private void requireUsable() {
        if (closed) {
            throw new StoreException(StoreError.CLOSED, "The cursor is closed");
        }
        if (broken) {
            throw new StoreException(StoreError.IO, "The cursor failed at an earlier step");
        }
    }

    /** The sources on the current row; reopens them there if they were released. */
    private MergeCursor current() {
        requireUsable();
        Rows held = rows;
        if (held == null) {
            held = open(fromCurrent());
            rows = held;
            // The snapshot still has the row.
            boolean unusedThere = step(held.cursor(), null);
        }
        return held.cursor();
    }

    private KeyRange fromCurrent() {
        if (!shows) {
            throw new IllegalStateException("not on a row");
        }
        return direction == Direction.FORWARD
                ? KeyRange.between(keptKey, range.to())
                : KeyRange.between(range.from(), keptKey.concat(Bytes.of(new byte[1])));
    }

    private KeyRange rest() {
        if (!started) {
            return range;
        }
        if (direction == Direction.FORWARD) {
            return KeyRange.between(keptKey.concat(Bytes.of(new byte[1])), range.to());
        }
        // No key lies below the empty key, and as an upper bound the empty key would mean unbounded.
        return keptKey.isEmpty()
                ? KeyRange.between(Bytes.of(new byte[1]), Bytes.of(new byte[1]))
                : KeyRange.between(range.from(), keptKey);
    }

    /** Whether the sources have been open for long. */
    boolean isOld() {
        return rows != null && scans.nanoTime() - openedNanos > RENEW_NANOS;
    }

    /** Called by other threads. A cursor in use renews itself. */
    void releaseIfIdle() {
        if (busy.compareAndSet(false, true)) {
            try {
                Rows held = rows;
                if (held != null) {
                    release(held);
                }
            } finally {
                busy.set(false);
            }
        }
    }

    private void release(Rows held) {
        if (shows) {
            keptKey = held.cursor().key();
        }
        rows = null;
        held.cursor().close();
    }

    @Override
    public Bytes key() {
        Rows held = rows;
        return held == null ? keptKey : held.cursor().key();
    }

    @Override
    public ByteSlice keySlice() {
        Rows held = rows;
        return held == null ? keptKeySlice.set(keptKey) : held.cursor().keySlice();
    }

    @Override
    public Bytes value() {
        lock();
        try {
            return current().value();
        } finally {
            busy.set(false);
        }
    }

    @Override
    public ByteSlice valueSlice() {
        lock();
        try {
            return current().valueSlice();
        } finally {
            busy.set(false);
        }
    }

    @Override
    public void close() {
        lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            Rows held = rows;
            rows = null;
            if (held != null) {
                held.cursor().close();
            }
        } finally {
            busy.set(false);
        }
        scans.remove(this);
        releaseView();
    }

    private void releaseView() {
        table.state().unpin();
        view.closed(this);
    }
}
