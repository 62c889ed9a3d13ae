package io.polytable.store.engine;

import io.polytable.store.feed.WatchedRanges;
import io.polytable.store.log.CommitLog;
import io.polytable.store.log.RecordBatch;
import io.polytable.store.log.RecordBatchFormat;
import io.polytable.store.memory.Generation;
import io.polytable.store.memory.MemorySnapshot;
import io.polytable.store.memory.PartitionSnapshot;
import io.polytable.store.memory.RowMemory;
import io.polytable.table.Bytes;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.RangeChanges;
import io.polytable.table.write.Batch;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The commit sequencer. Everything that changes the rows in memory happens here, under the append mutex. The log is
 * written under a second lock, so commits continue while a batch is being written.
 */
final class Appender {
    private static final int GENERATION_ROWS_MAX = 4_000_000;

    private final RowMemory memory;
    private final CommitLog log;
    private final Failure failure;
    private final long generationBytes;
    private final Runnable onSeal;
    private final ReentrantLock mutex = new ReentrantLock();
    private final ReentrantLock writing = new ReentrantLock();
    private final Tickets tickets;
    private final WatchedRanges watched = new WatchedRanges();
    private volatile long end;
    private volatile long handedOver;

    /** Bytes taken from memory and not yet written: their space in the log must not be promised to others. */
    private volatile long onTheWayBytes;

    Appender(RowMemory memory, CommitLog log, Failure failure, Tickets tickets, long generationBytes, Runnable onSeal) {
        this.memory = memory;
        this.log = log;
        this.failure = failure;
        this.generationBytes = generationBytes;
        this.onSeal = onSeal;
        end = log.end();
        handedOver = end;
        this.tickets = tickets;
        tickets.used(log.ticket());
    }

    /** The position of the last commit: everything up to it can be read. */
    long end() {
        return end;
    }

    /** As {@link #end()}, with the commits that other threads have begun. */
    long endOfBegun() {
        mutex.lock();
        try {
            return end;
        } finally {
            mutex.unlock();
        }
    }

    /**
     * The highest position that a reader may have seen. Ahead of {@link #end()} while a commit makes its rows visible.
     */
    long newestShown() {
        return Math.max(end, memory.newestShown());
    }

    /**
     * Makes sure that the log has space for the batch, without the mutex: it may need to be allocated first. The
     * reservation that counts is made under the mutex, and finds the space there.
     */
    void reserve(Batch batch) {
        failure.check();
        log.reserve(memory.waitingBytes() + bytesIn(batch));
    }

    private static long bytesIn(Batch batch) {
        return batch.sizeBytes() + RecordBatchFormat.HEADER_BYTES + RecordBatchFormat.RECORD_HEADER_BYTES;
    }

    /** @param check what must still hold when the batch gets its position; throws otherwise */
    long commit(Batch batch, Runnable check) {
        failure.check();
        mutex.lock();
        try {
            check.run();
            log.reserve(memory.waitingBytes() + onTheWayBytes + bytesIn(batch));
            long position = end + 1;
            append(batch, position);
            watched.committed(batch, position);
            end = position;
            sealIfFull();
            return position;
        } catch (Error e) {
            // It is unknown how much of the batch is in memory.
            throw failure.set(e);
        } finally {
            mutex.unlock();
        }
    }

    /**
     * A refused batch has changed nothing. After any other failure the content of memory is unknown, so the engine
     * stops.
     */
    private void append(Batch batch, long position) {
        try {
            memory.append(batch, position, tickets.last());
        } catch (StoreException refused) {
            throw refused;
        } catch (RuntimeException | Error e) {
            throw failure.set(e);
        }
    }

    /** Adds a record that the log already has. */
    void replay(byte[] array, int offset, int length, long position, long ticket) {
        mutex.lock();
        try {
            memory.replay(array, offset, length, position, ticket);
            sealIfFull();
        } finally {
            mutex.unlock();
        }
    }

    private void sealIfFull() {
        Generation growing = memory.growing();
        if (growing.bytes() > generationBytes || growing.size() > GENERATION_ROWS_MAX) {
            memory.seal();
            onSeal.run();
        }
    }

    /** Hands everything committed so far to the log: group commit, several callers' commits may go out in one write. */
    void flush() {
        long wanted = newestShown();
        if (handedOver >= wanted) {
            return;
        }
        failure.check();
        writing.lock();
        try {
            if (handedOver < wanted) {
                write(takeBatches());
            }
        } finally {
            writing.unlock();
        }
    }

    private List<RecordBatch> takeBatches() {
        mutex.lock();
        try {
            List<RecordBatch> batches = memory.takeBatches();
            onTheWayBytes = batches.stream().mapToLong(RecordBatch::length).sum();
            return batches;
        } finally {
            mutex.unlock();
        }
    }

    private void write(List<RecordBatch> batches) {
        try {
            for (RecordBatch batch : batches) {
                log.append(batch);
                handedOver = batch.last();
            }
            onTheWayBytes = 0;
        } catch (RuntimeException | Error e) {
            throw failure.set(e);
        }
    }

    RangeChanges rangeChanges(Table table, List<Bytes> bounds) {
        mutex.lock();
        try {
            return watched.add(table, bounds, end);
        } finally {
            mutex.unlock();
        }
    }

    /** Blocks all other threads' commits until {@link #resumeCommits()}. */
    void holdCommits() {
        mutex.lock();
    }

    void resumeCommits() {
        mutex.unlock();
    }

    /** Seals the growing generation, so that everything committed so far can be applied. */
    void seal() {
        mutex.lock();
        try {
            memory.seal();
        } finally {
            mutex.unlock();
        }
        onSeal.run();
    }

    /** Declares an empty table whole, before anything is committed to it. */
    void markWhole(int table) {
        mutex.lock();
        try {
            memory.markWhole(table);
        } finally {
            mutex.unlock();
        }
    }

    /** Declares the table whole, unless something happened since the stamp that could have made a row stale. */
    void markWhole(int table, long stamp) {
        mutex.lock();
        try {
            if (memory.fillStamp() == stamp) {
                memory.markWhole(table);
            }
        } finally {
            mutex.unlock();
        }
    }

    void applied(Generation generation) {
        mutex.lock();
        try {
            memory.applied(generation);
        } finally {
            mutex.unlock();
        }
        trim();
    }

    /** Evicts rows until memory is within its budget. */
    void trim() {
        boolean more = true;
        while (more) {
            more = trimSome();
        }
    }

    private boolean trimSome() {
        mutex.lock();
        try {
            return memory.trim();
        } finally {
            mutex.unlock();
        }
    }

    /** Caches rows of the state unless memory has newer ones; returns whether memory knows all of their keys now. */
    boolean fillAll(long stamp, Table table, List<Warmup.Row> rows) {
        mutex.lock();
        try {
            boolean known = true;
            for (int i = 0; known && i < rows.size(); i++) {
                Warmup.Row row = rows.get(i);
                known = memory.find(table.id(), row.key()).known() != RowMemory.Known.NOTHING
                        || memory.fill(stamp, table, row.key(), Optional.of(row.value()));
            }
            boolean unusedMore = memory.trimIfFull();
            return known;
        } finally {
            mutex.unlock();
        }
    }

    void fill(long stamp, Table table, Bytes key, Optional<Bytes> value) {
        // Caching a row is not worth waiting for the mutex.
        if (mutex.tryLock()) {
            try {
                boolean unusedKnown = memory.fill(stamp, table, key, value);
                boolean unusedMore = memory.trimIfFull();
            } finally {
                mutex.unlock();
            }
        }
    }

    /** Caches the state's answers to keys that memory did not know. */
    void fill(Table table, List<PointReads.Miss> misses, List<Optional<Bytes>> values) {
        if (mutex.tryLock()) {
            try {
                for (int i = 0; i < misses.size(); i++) {
                    PointReads.Miss miss = misses.get(i);
                    boolean unusedKnown = memory.fill(miss.stamp(), table, miss.key(), values.get(i));
                }
                // Large rows may fill several chunks, and one step frees one. Without writes nobody else would
                // continue.
                boolean more = true;
                while (more) {
                    more = memory.trimIfFull();
                }
            } finally {
                mutex.unlock();
            }
        }
    }

    PartitionSnapshot snapshot(int table, Bytes partition) {
        mutex.lock();
        try {
            return memory.snapshot(table, partition);
        } finally {
            mutex.unlock();
        }
    }

    /** A snapshot of all fresh rows, and the last position it includes. */
    record Captured(MemorySnapshot rows, long position) {}

    Captured captureAll() {
        mutex.lock();
        try {
            return new Captured(memory.snapshot(), end);
        } finally {
            mutex.unlock();
        }
    }
}
