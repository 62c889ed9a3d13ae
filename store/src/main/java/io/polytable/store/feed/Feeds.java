package io.polytable.store.feed;

import io.polytable.store.log.CommitLog;
import io.polytable.store.log.LogFault;
import io.polytable.store.log.LogReader;
import io.polytable.table.Position;
import io.polytable.table.Reader;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All change feeds of a log, over one shared tail that is decoded once. */
public final class Feeds implements AutoCloseable {
    /** Long enough for a waiting thread to get the lock. */
    private static final long TURN_PAUSE_NANOS = 50_000;

    private final CommitLog log;
    private final LongSupplier durable;
    private final LongFunction<Position> positions;
    private final LongConsumer awaitDurable;
    private final ReentrantLock lock = new ReentrantLock();
    private final Tail tail;
    private final FeedWaiters waiting;
    private final ReaderPool readers;
    private final int readersMax;
    private final Backlogs backlogs;
    private boolean closed;

    /**
     * @param readers the readers that all partitions share
     * @param durable the highest position that feeds may show
     * @param awaitDurable waits until feeds may show a position
     * @param snapshots takes a snapshot of the whole store
     * @param broken called when the thread that wakes feeds ended with an error
     * @param nanoTime the clock by which feeds count as idle
     */
    public Feeds(
            CommitLog log,
            FeedMemory memory,
            ReaderPool readers,
            LongSupplier durable,
            LongFunction<Position> positions,
            LongConsumer awaitDurable,
            Supplier<RecordSnapshot> snapshots,
            java.util.function.Consumer<Throwable> broken,
            LongSupplier nanoTime) {
        this.log = log;
        this.backlogs = new Backlogs(memory.backlogBytes(), nanoTime);
        this.readers = readers;
        this.readersMax = memory.readersMax();
        this.durable = durable;
        this.positions = positions;
        this.awaitDurable = awaitDurable;
        this.waiting = new FeedWaiters(lock, this::catchUp, broken);
        this.tail = new Tail(
                from -> readers.openForTail(log, from, readersMax),
                memory.tailBytes(),
                durable,
                positions,
                new OldValues(snapshots, memory.oldBytes()),
                waiting);
    }

    /** A snapshot of the store right after a record. */
    public record RecordSnapshot(Reader rows, long record, Runnable closing) {}

    /** Opens a feed of the changes after the record. */
    public ChangeFeed open(Set<Table> tables, long from, Runnable onClose) {
        TailFeed feed = new TailFeed(this, byId(tables), from, false, backlogs.open(from), onClose);
        locked(() -> {
            requireOpen();
            if (from + 1 < log.first()) {
                throw LogFault.expired(from + 1);
            }
            tail.join(feed);
            return feed;
        });
        return feed;
    }

    /** Opens a feed of the changes after the snapshot, with old values; the snapshot must stay open during the call. */
    public ChangeFeed openSince(Set<Table> tables, RecordSnapshot snapshot, Runnable onClose) {
        Backlogs.Backlog backlog = backlogs.open(snapshot.record());
        TailFeed feed = new TailFeed(this, byId(tables), snapshot.record(), true, backlog, onClose);
        long joins = locked(() -> {
            requireOpen();
            return tail.join(feed);
        });
        try {
            if (snapshot.record() < joins) {
                between(feed, backlog, snapshot, joins);
            }
            return feed;
        } catch (RuntimeException | Error e) {
            backlog.drop();
            leave(feed);
            throw e;
        }
    }

    private static Map<Integer, Table> byId(Set<Table> tables) {
        Map<Integer, Table> byId = new HashMap<>();
        tables.forEach(table -> byId.put(table.id(), table));
        return Map.copyOf(byId);
    }

    /** Fills the feed's backlog with the commits from its snapshot up to where the tail has old values. */
    private void between(TailFeed feed, Backlogs.Backlog backlog, RecordSnapshot snapshot, long upTo) {
        awaitDurable.accept(upTo);
        CommitDecoder decoder = new CommitDecoder();
        TrailingRows before = new TrailingRows(snapshot.rows());
        try (ReaderPool.Lease lease = read(snapshot.record() + 1)) {
            LogReader reader = Objects.requireNonNull(lease.begin());
            while (reader.next() && reader.position() <= upTo) {
                Position after = positionOf(reader.position());
                List<Change> old = CommitDecoder.withBefore(decoder.decode(reader, after, feed.tables()), before);
                if (!old.isEmpty()) {
                    backlog.add(TailCommit.of(reader.position(), List.of(), old));
                }
                if (reader.position() == upTo) {
                    break;
                }
            }
        }
        feed.skipTo(upTo);
    }

    static StoreException expired(long record) {
        return new StoreException(
                StoreError.POSITION_EXPIRED,
                "The values from before these changes are no longer known: start from a new snapshot",
                Map.of("after", record));
    }

    private void requireOpen() {
        if (closed) {
            throw new StoreException(StoreError.CLOSED, "The store is closed");
        }
    }

    long durable() {
        return durable.getAsLong();
    }

    Position positionOf(long record) {
        return positions.apply(record);
    }

    /** Whether the tail has the feed's next commits. A feed with old values that the tail does not cover expires. */
    boolean follows(TailFeed feed) {
        return locked(() -> {
            requireOpen();
            boolean follows = tail.covers(feed);
            if (!follows && feed.withOld()) {
                throw expired(feed.passed());
            }
            return follows;
        });
    }

    /** The next commit in the tail that concerns the feed; null if there is none yet. */
    @Nullable
    TailCommit next(TailFeed feed) {
        long end = durable();
        Tail.Turn turn = turn(feed);
        while (turn.isCutShort() && feed.passed() < end) {
            turn = turn(feed);
        }
        return turn.found();
    }

    private Tail.Turn turn(TailFeed feed) {
        return locked(() -> {
            requireOpen();
            return tail.next(feed);
        });
    }

    /** A log reader for a feed that the tail does not cover. */
    ReaderPool.Lease read(long from) {
        return readers.open(log, from, readersMax);
    }

    /** Waits until a poll of the feed may return or throw something, at most that long. */
    void await(TailFeed feed, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            waiting.await(feed, nanos, () -> isReady(feed));
        } finally {
            unlock();
        }
    }

    void whenReady(TailFeed feed, Runnable action) {
        locked(() -> {
            waiting.call(feed, action, () -> isReady(feed));
            return feed;
        });
    }

    private boolean isReady(TailFeed feed) {
        return closed || !tail.covers(feed) || tail.hasNext(feed);
    }

    /** Called when the durable position advanced. Cheap without waiting feeds. */
    public void progressed() {
        waiting.signal();
    }

    /** Decodes the tail in turns, since woken feeds need the lock, and so do close and {@link #releaseSnapshots}. */
    private void catchUp() {
        while (locked(() -> !closed && tail.advanceSome())) {
            if (lock.hasQueuedThreads()) {
                LockSupport.parkNanos(TURN_PAUSE_NANOS);
            }
        }
    }

    /**
     * Closes the snapshots behind old values, which block a reopening of the state or pin memory: feeds with old values
     * expire.
     */
    public void releaseSnapshots() {
        locked(() -> {
            tail.forgetOld();
            return tail;
        });
    }

    void leave(TailFeed feed) {
        locked(() -> {
            waiting.remove(feed);
            tail.leave(feed);
            return feed;
        });
    }

    private <T extends @Nullable Object> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            unlock();
        }
    }

    /** Releases the lock, then runs the actions of feeds that became ready. */
    private void unlock() {
        List<Runnable> ready = waiting.takeReady();
        lock.unlock();
        FeedWaiters.run(ready);
    }

    @Override
    public void close() {
        locked(() -> {
            closed = true;
            tail.close();
            waiting.wakeAll();
            return tail;
        });
        waiting.close();
    }
}
