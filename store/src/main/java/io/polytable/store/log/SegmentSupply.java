package io.polytable.store.log;

import io.polytable.table.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Room to append to: the rest of the active segment, and the next one, which is there before it is needed.
 *
 * <p>A segment is made under another name: zeros (or the bytes of a released segment), its stamp, forced; then it is
 * renamed, and the control file says that it must be there. So going on to it is one assignment, and a group in it needs
 * nothing but its own bytes to reach the disk.
 *
 * <p>Everything that makes room is done in small steps under one lock, by whoever needs it: usually the upkeep thread,
 * ahead of need, otherwise the caller of {@link #reserve}.
 */
final class SegmentSupply {
    static final String TEMPORARY = "next.tmp";
    static final String SPARE_SUFFIX = ".spare";

    private static final Logger LOG = LoggerFactory.getLogger(SegmentSupply.class);

    private final LogFiles files;
    private final FileLogOptions options;
    private final ControlFile control;
    private final SegmentChain chain;
    private final Retirement retirement;
    // Fair, so that a caller who needs one step does not wait until the upkeep thread has done all of its own.
    private final ReentrantLock lock = new ReentrantLock(true);
    private final ArrayDeque<String> spares;
    private @Nullable LogFile building;
    private long built;
    private @Nullable Instant failedAt;
    private @Nullable IOException failure;
    private volatile @Nullable Segment next;

    SegmentSupply(
            LogFiles files,
            FileLogOptions options,
            ControlFile control,
            SegmentChain chain,
            Retirement retirement,
            @Nullable Segment next) {
        this.files = files;
        this.options = options;
        this.control = control;
        this.chain = chain;
        this.retirement = retirement;
        this.spares = retirement.spares();
        this.next = next;
    }

    ReentrantLock lock() {
        return lock;
    }

    private boolean hasRoom(long bytes) {
        if (chain.active().room() >= bytes) {
            return true;
        }
        Segment ahead = next;
        return ahead != null && ahead.room() >= bytes;
    }

    void reserve(long bytes) {
        if (hasRoom(bytes)) {
            return;
        }
        lock.lock();
        try {
            while (!hasRoom(bytes)) {
                step(bytes);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The segment to go on to. Only the appending thread takes it, after a reservation. */
    Segment take() {
        Segment taken = next;
        if (taken == null) {
            throw new IllegalStateException("No segment was prepared");
        }
        next = null;
        return taken;
    }

    /** Whether nothing is left to be made ahead of need. */
    boolean complete() {
        return next != null;
    }

    /**
     * Makes a bit of room; the lock is held.
     *
     * @throws StoreException {@link io.polytable.table.StoreError#NO_ROOM}, also without a try while the last failure is young
     */
    void step(long bytes) {
        IOException last = failure;
        if (last != null && spares.isEmpty() && !retryDue()) {
            throw LogFault.noRoom(last);
        }
        try {
            makeRoom(bytes);
            failure = null;
        } catch (IOException e) {
            if (failure == null) {
                LOG.warn("The log's next file cannot be prepared; writes are refused when the present one is full", e);
            }
            failure = e;
            failedAt = options.clock().instant();
            discard();
            throw LogFault.noRoom(e);
        }
    }

    private boolean retryDue() {
        Instant now = options.clock().instant();
        Instant then = failedAt;
        // A clock that was set back must not keep a log from trying again.
        return then == null || now.isBefore(then) || Duration.between(then, now).compareTo(options.retryAfter()) >= 0;
    }

    private void makeRoom(long bytes) throws IOException {
        Segment ahead = next;
        if (ahead != null) {
            grow(ahead, pages(bytes));
        } else if (chain.active().prepared() < options.segmentBytes()) {
            // Only a new log's first segment is used before it is whole, so that making a log is quick.
            grow(chain.active(), options.segmentBytes());
        } else {
            build(Math.max(options.segmentBytes(), pages(bytes)));
        }
    }

    private static long pages(long bytes) {
        return (bytes + 2L * Segment.HEADER_BYTES - 1) / Segment.HEADER_BYTES * Segment.HEADER_BYTES;
    }

    private static void grow(Segment segment, long size) throws IOException {
        long from = segment.prepared();
        long to = Math.min(size, from + Zeros.CHUNK_BYTES);
        Zeros.write(segment.file(), from, to);
        segment.prepared(to);
    }

    private void build(long size) throws IOException {
        LogFile file = building;
        if (file == null) {
            if (spares.isEmpty()) {
                retirement.run();
            }
            String spare = spares.poll();
            if (spare != null) {
                recycle(spare);
                return;
            }
            file = files.create(TEMPORARY);
            building = file;
            built = 0;
        }
        long to = Math.min(size, built + Zeros.CHUNK_BYTES);
        Zeros.write(file, built, to);
        built = to;
        if (built >= size) {
            building = null;
            publish(file, TEMPORARY, false);
        }
    }

    private void recycle(String spare) throws IOException {
        LogFile file = files.open(spare);
        built = file.size();
        publish(file, spare, true);
    }

    private void publish(LogFile file, String name, boolean recycled) throws IOException {
        ControlFile.State state = control.state();
        long id = chain.active().id() + 1;
        try (file) {
            file.writeAll(Segment.stamp(state.incarnation(), id, recycled), 0);
            file.force();
        }
        files.rename(name, Segment.name(id));
        files.syncDirectory();
        control.write(control.state().withNewest(id));
        next = new Segment(state.incarnation(), id, recycled, files.open(Segment.name(id)), built);
    }

    private void discard() {
        LogFile file = building;
        building = null;
        try {
            if (file != null) {
                file.close();
                files.delete(TEMPORARY);
            }
        } catch (IOException e) {
            LOG.warn("A half-made file of the log stays behind: {}", files.describe(TEMPORARY), e);
        }
    }

    void close() throws IOException {
        lock.lock();
        try {
            discard();
            Segment ahead = next;
            if (ahead != null) {
                ahead.closeFile();
            }
        } finally {
            lock.unlock();
        }
    }
}
