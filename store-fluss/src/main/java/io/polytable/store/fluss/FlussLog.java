package io.polytable.store.fluss;

import io.polytable.store.fluss.ownership.Environment;
import io.polytable.store.fluss.ownership.FencedWriter;
import io.polytable.store.fluss.ownership.Floor;
import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.store.fluss.ownership.Ownership;
import io.polytable.store.fluss.ownership.RowSpan;
import io.polytable.store.fluss.ownership.Takeover;
import io.polytable.store.fluss.ownership.UnremovedRows;
import io.polytable.store.log.CommitLog;
import io.polytable.store.log.LogFault;
import io.polytable.store.log.LogProgress;
import io.polytable.store.log.LogReader;
import io.polytable.store.log.RecordBatch;
import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commit log in a Fluss table. The package page explains how it works, docs/formats/fluss-log.md its rows.
 * Acknowledged and synced are the same here: all in-sync replicas have it.
 */
public final class FlussLog implements CommitLog {
    private static final Logger LOG = LoggerFactory.getLogger(FlussLog.class);

    private final LogTable table;
    private final long incarnation;
    private final PositionIndex index;
    private final LogProgress progress;
    private final SendQueue queue;
    private final Lease lease;
    private final LogTrimmer trimmer;
    private final RowSender sender;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition progressed = lock.newCondition();
    private volatile long end;
    private final AtomicLong appendedBytes;
    private volatile long checkpoint;
    private volatile CompletableFuture<Void> trimming = CompletableFuture.completedFuture(null);

    private FlussLog(LogTable table, FlussLogOptions options, Environment environment, Ownership won) {
        this.table = table;
        this.incarnation = won.chain().incarnation();
        this.checkpoint = won.chain().checkpoint();
        this.end = won.chain().end();
        this.appendedBytes = new AtomicLong(won.chain().bytes());
        Duration visibleMax = table.cluster().settings().answerMax();
        this.index = new PositionIndex(table, won.chain(), won.own(), environment, visibleMax);
        this.progress = new LogProgress(end, won.chain().ticket());
        progress.listen(this::signalWaiters);
        FencedWriter writer = new FencedWriter(table, won, environment, visibleMax);
        this.queue = new SendQueue(progress);
        this.lease = new Lease(writer, won, options.lease(), environment::now);
        this.trimmer = new LogTrimmer(index, writer);
        this.sender = new RowSender(queue, writer, lease, trimmer, progress, index);
    }

    /**
     * Takes the log over, creating its table if it is missing. The caller owns the cluster and closes it later.
     *
     * @throws StoreException {@link io.polytable.table.StoreError#IN_USE} if another owner does not release it in time,
     *     {@link io.polytable.table.StoreError#CORRUPT} if rows are missing, {@link io.polytable.table.StoreError#IO}
     */
    public static FlussLog open(FlussCluster cluster, FlussLogOptions options) {
        LogTable table = LogTable.open(cluster, options.table());
        Environment environment = Environment.system(options.formerOwner());
        FlussLog log = new FlussLog(table, options, environment, Takeover.win(table, options.terms(), environment));
        log.removeLeftovers(table);
        log.sender.start();
        return log;
    }

    /**
     * Removes trimmed rows that a killed owner left. They take space and do no harm: if the search fails, the next
     * owner repeats it.
     */
    private void removeLeftovers(LogTable table) {
        try {
            trimmer.finish(UnremovedRows.below(table, firstRow()));
        } catch (StoreException failed) {
            LOG.warn(
                    "Rows of the log that a former owner gave up were not found; they stay until the next start",
                    failed);
        }
    }

    /** This owner's epoch. */
    long epoch() {
        return index.own().epoch();
    }

    /** The random number of this owner. */
    public long owner() {
        return index.own().owner();
    }

    @Override
    public long incarnation() {
        return incarnation;
    }

    @Override
    public long first() {
        return index.first();
    }

    @Override
    public long end() {
        return end;
    }

    @Override
    public long acknowledged() {
        return progress.acknowledged();
    }

    @Override
    public long synced() {
        return progress.acknowledged();
    }

    @Override
    public long ticket() {
        return progress.ticket();
    }

    @Override
    public boolean failed() {
        return progress.failed();
    }

    @Override
    public boolean isCurrent() {
        return lease.isHeld();
    }

    @Override
    public void reserve(long bytes) {
        progress.requireWritable();
        queue.requireRoom(bytes);
    }

    @Override
    public boolean hasRoom() {
        return progress.failed() || queue.hasRoom();
    }

    @Override
    public void append(RecordBatch batch) {
        progress.requireWritable();
        batch.requireFollows(end);
        end = batch.last();
        appendedBytes.addAndGet(batch.length());
        queue.append(batch);
    }

    @Override
    public void sync() {
        progress.requireWritable();
        long wanted = end;
        if (progress.acknowledged() >= wanted) {
            return;
        }
        lock.lock();
        try {
            // Ignores interrupts: a caller that returned early would take unsynced records for synced. A write that is
            // never answered fails the log in time.
            while (progress.acknowledged() < wanted && !progress.failed()) {
                progressed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
        progress.requireHealthy();
    }

    private void signalWaiters() {
        lock.lock();
        try {
            progressed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onProgress(Runnable listener) {
        progress.listen(listener);
    }

    @Override
    public LogReader read(long from) {
        progress.requireOpen();
        if (from > end + 1) {
            throw LogFault.beyondEnd(from, end);
        }
        if (from < first()) {
            throw LogFault.expired(from);
        }
        return new RowReader(table, index, progress, from);
    }

    /** The current row and the next one; rows fetched ahead are limited for all readers together. */
    @Override
    public long readerBytes() {
        return 2 * RowPacker.ROW_BYTES_MAX;
    }

    /** Keeps the rows until a checkpoint replaces them: an empty disk has nothing else to recover from. */
    @Override
    public void release(long below) {
        progress.requireOpen();
    }

    /**
     * Trims the rows below the one that holds the position, but never the last one. Returns once the new floor is
     * written; the rows are removed later, between other writes.
     *
     * @param checkpoint the checkpoint that replaces them
     */
    void trim(long below, long checkpoint) {
        beginTrim(below, checkpoint);
        awaitTrim();
    }

    /** Starts a trim without waiting; see {@link #awaitTrim}. */
    void beginTrim(long below, long checkpoint) {
        progress.requireWritable();
        Optional<PositionIndex.Mark> kept = index.find(Math.min(below, progress.acknowledged()));
        if (kept.isEmpty()) {
            return;
        }
        Floor floor = Floor.at(index.rows().read(kept.get().key()), checkpoint);
        // Set by the thread that writes the floor: the log names this checkpoint then, even if the waiting thread has
        // given up.
        trimming = trimmer.trim(floor).thenRun(() -> this.checkpoint = checkpoint);
        queue.wake();
    }

    /**
     * Waits until the log names the checkpoint of the last trim. Until then, and for good if it failed, it is unknown
     * which one it names.
     */
    void awaitTrim() {
        table.cluster().await(trimming);
    }

    /** The number of the last checkpoint, 0 without one. */
    long checkpoint() {
        return checkpoint;
    }

    LogKey firstRow() {
        RowSpan oldest = index.all().get(0);
        return oldest.key(oldest.firstSeq());
    }

    @Override
    public long bytesSince(long position) {
        if (position > end) {
            return 0;
        }
        long before = index.find(Math.max(position, first()))
                .map(PositionIndex.Mark::bytesBefore)
                .orElse(index.bytes());
        return appendedBytes.get() - before;
    }

    @Override
    public void close() {
        if (progress.close()) {
            sender.close();
        }
    }
}
