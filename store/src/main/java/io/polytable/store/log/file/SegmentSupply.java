package io.polytable.store.log.file;

import io.polytable.store.log.LogFault;
import io.polytable.store.log.LogProgress;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Room to append to: the rest of the active segment, and the next one.
 *
 * <p>Room is made in small steps under one lock, by the upkeep thread: ahead of need, or while a caller of
 * {@link #reserve} waits. Callers do not do it themselves, for they may be interrupted, which Java answers by closing
 * files. Only a log without that thread makes room in its callers' time.
 *
 * <p>When a step fails, the disk is taken for full until it is time for another try: asking it again for each refused
 * write would help nobody.
 */
final class SegmentSupply {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentSupply.class);
    private static final long LEAD_BYTES_MAX = 8L << 20;

    private final SegmentMaker maker;
    private final FileLogOptions options;
    private final SegmentChain chain;
    private final Retirement retirement;
    private final LogProgress progress;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition stepped = lock.newCondition();
    private @Nullable Runnable upkeep;
    private long awaitedBytes;
    private Instant failedAt = Instant.MIN;
    private @Nullable IOException failure;
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
                Runnable waker = upkeep;
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

    /** From now on, somebody who is woken like this makes room. */
    void upkeepBy(Runnable waker) {
        lock.lock();
        try {
            upkeep = waker;
        } finally {
            lock.unlock();
        }
    }

    void upkeepEnds() {
        lock.lock();
        try {
            upkeep = null;
            stepped.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Several batches fit if one that is as large as all of them does: those that no longer go here go there. */
    private boolean hasRoom(long bytes) {
        if (chain.active().room() >= bytes) {
            return true;
        }
        Segment ahead = next;
        return ahead != null && ahead.room() >= bytes;
    }

    /** The segment to go on to. Only the appending thread asks, after a reservation. */
    Segment next() {
        Segment ahead = next;
        if (ahead == null) {
            throw new IllegalStateException("No segment was prepared");
        }
        return ahead;
    }

    /** The next segment is the active one now. */
    void taken() {
        next = null;
    }

    /** Does a bit of what is to be done now, and answers whether there was any. */
    boolean work() {
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
        }
    }

    /** Whether nothing needs to be made just now. A log of little use shall not take a lot of disk. */
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
                LOG.info("There is room for the log again");
                failure = null;
            }
        } catch (IOException e) {
            if (failure == null) {
                LOG.warn("No room can be made for the log; writes are refused when what is left is used up", e);
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

    /** Refuses without a try while the last failure is young. */
    private void requireHope() {
        if (failure != null && retirement.spares().isEmpty() && !retryDue()) {
            throw LogFault.noRoom(failure);
        }
    }

    private boolean retryDue() {
        Instant now = options.clock().instant();
        // A clock that was set back must not keep the log from trying again.
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

    /** What a segment has when it is made; the rest comes while it is in use or waits for it. */
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

    /** Ahead of the first sync of a batch, which someone waits for. */
    private void forceNow(Segment segment) {
        try {
            segment.file().force();
        } catch (IOException e) {
            // The segment may have come into use: then this was about batches, and the next force would not fail again.
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
