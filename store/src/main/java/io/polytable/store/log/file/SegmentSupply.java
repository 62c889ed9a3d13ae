package io.polytable.store.log.file;

import io.polytable.store.log.LogFault;
import io.polytable.store.log.LogProgress;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The space to append to: the rest of the active segment, and the next segment.
 *
 * <p>Space is allocated in small steps under one lock by the maintenance thread, ahead of need or while a caller of
 * {@link #reserve} waits. Callers do not do it themselves: they may be interrupted, which makes Java close files. Only
 * a log without that thread allocates in its callers' threads.
 *
 * <p>After a failed step the disk is assumed to be full until the next retry is due; asking again for each refused
 * write would be useless.
 */
final class SegmentSupply {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentSupply.class);
    private static final long LEAD_BYTES_MAX = 8L << 20;

    /** With less space than this and none to be had, the log counts as full: larger commits are refused already. */
    private static final long FULL_BYTES = 256L << 10;

    private final SegmentMaker maker;
    private final FileLogOptions options;
    private final SegmentChain chain;
    private final Retirement retirement;
    private final LogProgress progress;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition stepped = lock.newCondition();
    private volatile @Nullable Runnable maintenance;
    private long awaitedBytes;
    private Instant failedAt = Instant.MIN;
    private volatile @Nullable IOException failure;
    private volatile @Nullable Segment next;

    SegmentSupply(
            SegmentMaker maker,
            FileLogOptions options,
            SegmentChain chain,
            Retirement retirement,
            LogProgress progress,
            @Nullable Segment next) {
        this.maker = maker;
        this.options = options;
        this.chain = chain;
        this.retirement = retirement;
        this.progress = progress;
        this.next = next;
    }

    ReentrantLock lock() {
        return lock;
    }

    void reserve(long bytes) {
        if (hasRoom(bytes)) {
            return;
        }
        lock.lock();
        try {
            while (!hasRoom(bytes)) {
                progress.requireWritable();
                Runnable waker = maintenance;
                if (waker == null) {
                    step(bytes);
                } else {
                    requireHope();
                    awaitedBytes = Math.max(awaitedBytes, bytes);
                    waker.run();
                    stepped.awaitUninterruptibly();
                    requireNoFailure(bytes);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether space is allocated ahead of need. If none can be had, a reservation says why. */
    boolean keepsUp() {
        return failure != null || maintenance == null || hasRoom(Math.min(FULL_BYTES, options.segmentBytes() / 2));
    }

    /** Why even small reservations are refused, if they are. */
    Optional<StoreException> refusal() {
        IOException reason = failure;
        // With less than half a segment the maintenance thread keeps trying, so a success is noticed without a commit.
        if (reason == null || hasRoom(Math.min(FULL_BYTES, options.segmentBytes() / 2))) {
            return Optional.empty();
        }
        return Optional.of(LogFault.noRoom(reason));
    }

    /** Allocated space that is not used yet. */
    long roomBytes() {
        Segment ahead = next;
        return chain.active().room() + (ahead == null ? 0 : ahead.room());
    }

    /** From now on a maintenance thread, woken like this, allocates space. */
    void maintainedBy(Runnable waker) {
        lock.lock();
        try {
            maintenance = waker;
        } finally {
            lock.unlock();
        }
    }

    void maintenanceEnds() {
        lock.lock();
        try {
            maintenance = null;
            stepped.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Several batches fit if one batch of their total size does: those that exceed the active segment go to the next.
     */
    private boolean hasRoom(long bytes) {
        if (chain.active().room() >= bytes) {
            return true;
        }
        Segment ahead = next;
        return ahead != null && ahead.room() >= bytes;
    }

    /** The segment to switch to. Called only by the appending thread, after a reservation. */
    Segment next() {
        Segment ahead = next;
        if (ahead == null) {
            throw new IllegalStateException("No segment was prepared");
        }
        return ahead;
    }

    /** The next segment has become the active one. */
    void taken() {
        next = null;
    }

    /** Does one step of pending work; returns whether there was any. */
    boolean work() {
        boolean keptUp = keepsUp();
        lock.lock();
        try {
            if (complete()) {
                return false;
            }
            step(awaitedBytes);
            return true;
        } finally {
            if (hasRoom(awaitedBytes) || failure != null) {
                awaitedBytes = 0;
            }
            stepped.signalAll();
            lock.unlock();
            if (!keptUp && keepsUp()) {
                progress.advanced();
            }
        }
    }

    /** Whether nothing needs to be allocated now. A little-used log must not take much disk space. */
    private boolean complete() {
        if (!hasRoom(awaitedBytes)) {
            return false;
        }
        Segment ahead = next;
        if (ahead != null) {
            return ahead.prepared() >= options.segmentBytes();
        }
        Segment active = chain.active();
        long half = options.segmentBytes() / 2;
        return active.prepared() < options.segmentBytes()
                ? active.room() >= Math.min(half, LEAD_BYTES_MAX)
                : active.written() < half;
    }

    private void step(long bytes) {
        try {
            retirement.run();
            requireHope();
            makeRoom(bytes);
            if (failure != null) {
                LOG.warn("There is space for the log again");
                failure = null;
            }
        } catch (IOException e) {
            if (failure == null) {
                LOG.warn(
                        "The log cannot grow; writes are refused once its preallocated space is used up: {}",
                        String.valueOf(e.getMessage()));
                LOG.debug("The log cannot grow", e);
            }
            failure = e;
            failedAt = options.clock().instant();
            throw LogFault.noRoom(e);
        }
    }

    private void requireNoFailure(long bytes) {
        if (failure != null && !hasRoom(bytes)) {
            throw LogFault.noRoom(failure);
        }
    }

    /** Refuses without an attempt until the retry is due. */
    private void requireHope() {
        if (failure != null && retirement.spares().isEmpty() && !retryDue()) {
            throw LogFault.noRoom(failure);
        }
    }

    private boolean retryDue() {
        Instant now = options.clock().instant();
        // A clock that was set back must not delay the retry.
        return now.isBefore(failedAt) || Duration.between(failedAt, now).compareTo(options.retryAfter()) >= 0;
    }

    private void makeRoom(long bytes) throws IOException {
        Segment ahead = next;
        Segment active = chain.active();
        if (ahead != null) {
            grow(ahead, Math.max(options.segmentBytes(), sizeFor(bytes)));
        } else if (active.prepared() < options.segmentBytes()) {
            grow(active, options.segmentBytes());
        } else {
            String spare = retirement.spares().poll();
            long id = active.id() + 1;
            next = spare != null ? maker.remake(spare, id) : maker.make(id, firstSize(options));
        }
    }

    /** The initial size of a segment; it grows while it is in use or waiting. */
    static long firstSize(FileLogOptions options) {
        return Math.min(options.segmentBytes(), Zeros.CHUNK_BYTES);
    }

    private static long sizeFor(long bytes) {
        return (bytes + 2L * Segment.HEADER_BYTES - 1) / Segment.HEADER_BYTES * Segment.HEADER_BYTES;
    }

    private void grow(Segment segment, long size) throws IOException {
        long from = segment.prepared();
        long to = Math.min(size, from + Zeros.CHUNK_BYTES);
        Zeros.write(segment.file(), from, to);
        segment.prepared(to);
        if (to == size) {
            forceNow(segment);
        }
    }

    /** Forces the zeros before the first sync of a batch, which a commit waits for. */
    private void forceNow(Segment segment) {
        try {
            segment.file().force();
        } catch (IOException e) {
            // The segment may be in use by now: then the failure concerns batches, and the next force would not report
            // it again.
            throw progress.fail(e);
        }
    }

    void close() throws IOException {
        Segment ahead = next;
        if (ahead != null) {
            ahead.closeFile();
        }
        for (String spare : retirement.spares()) {
            maker.discard(spare);
        }
    }
}
