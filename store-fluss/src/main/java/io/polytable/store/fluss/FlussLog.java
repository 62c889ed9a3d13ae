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
 * The commit log in a Fluss table. The package's page tells how it works, docs/formats/fluss-log.md shows its rows.
 * Acknowledged and synced are the same here: what all replicas in sync have.
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
        this.lease = new Lease(writer, won.own(), options.lease());
        this.trimmer = new LogTrimmer(index, writer);
        this.sender = new RowSender(queue, writer, lease, trimmer, progress, index);
    }

    /**
     * Takes the log over, creating its table where it is missing. The cluster stays the caller's, who closes it later.
     *
     * @throws StoreException {@link io.polytable.table.StoreError#IN_USE} when another owner does not let go in time,
     *     {@link io.polytable.table.StoreError#CORRUPT} when rows are missing, {@link io.polytable.table.StoreError#IO}
     */
    public static FlussLog open(FlussCluster cluster, FlussLogOptions options) {
        LogTable table = LogTable.open(cluster, options.table());
        Environment environment = Environment.system(options.formerOwner());
        FlussLog log = new FlussLog(table, options, environment, Takeover.win(table, options.terms(), environment));
        log.removeLeftovers(table);
        log.sender.start();
        return log;
    }

    /** What a killed owner did not remove takes space and does no harm: after a failed search the next owner looks for it. */
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

    /** The number under which this owner writes. */
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
        queue.awaitRoom(bytes, table.cluster().settings().answerMax());
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
            // Also for a caller that is interrupted: one that returned early would take for synced what is not. A write
            // that
            // is never answered fails the log in time.
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

    /** The row it is in and the next one; those that it asks for ahead are counted for all readers together. */
    @Override
    public long readerBytes() {
        return 2 * RowPacker.ROW_BYTES_MAX;
    }

    /** Rows stay until a checkpoint makes them superfluous: an empty disk has nothing but them. */
    @Override
    public void release(long below) {
        progress.requireOpen();
    }

    /**
     * Gives up the rows below the one that holds the position, or below the last one where that comes before; returns
     * when nobody expects them any more, and removes them later, between other writes.
     *
     * @param checkpoint what takes their place
     */
    void trim(long below, long checkpoint) {
        beginTrim(below, checkpoint);
        awaitTrim();
    }

    /** Without waiting: {@link #awaitTrim} does that. */
    void beginTrim(long below, long checkpoint) {
        progress.requireWritable();
        Optional<PositionIndex.Mark> kept = index.find(Math.min(below, progress.acknowledged()));
        if (kept.isEmpty()) {
            return;
        }
        Floor floor = Floor.at(index.rows().read(kept.get().key()), checkpoint);
        // By whoever announces it: also when the one that waits has given up, the log names this checkpoint then.
        trimming = trimmer.trim(floor).thenRun(() -> this.checkpoint = checkpoint);
        queue.wake();
    }

    /**
     * Waits until the log names the checkpoint of the last trim. Until then, and for good when that failed, nobody knows
     * which one it names.
     */
    void awaitTrim() {
        table.cluster().await(trimming);
    }

    /** The number of the last checkpoint, 0 when there is none. */
    long checkpoint() {
        return checkpoint;
    }

    /** The oldest row there is. */
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
