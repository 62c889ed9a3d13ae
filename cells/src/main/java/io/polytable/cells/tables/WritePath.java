package io.polytable.cells.tables;

import io.polytable.cells.Cell;
import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.RowWrite;
import io.polytable.cells.WriteOutcome;
import io.polytable.cells.WriteResult;
import io.polytable.table.Commit;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Stripes;
import io.polytable.table.TableStore;
import io.polytable.table.WriteSet;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * From row writes to a commit: takes the rows' stripes, builds one write set, commits it, lets the stripes go. Many writes
 * of a batch share a commit, in pieces small enough that other writers of the same stripes do not wait long.
 */
final class WritePath implements AutoCloseable {
    private static final int WAITED_THREADS = 2;
    private static final int WRITES_PER_COMMIT = 256;
    private static final long BYTES_PER_COMMIT = 1 << 20;

    private final TableStore store;
    private final Stripes stripes;
    private final InstantSource clock;
    private final RowClock rowClock;
    private final RowWriter writer;

    /** Where writes go on that waited for room. */
    private final ThreadPoolExecutor waited;

    /** The buffers of a thread's last write serve its next one. */
    private final ThreadLocal<WriteSet> sets;

    WritePath(TableStore store, InstantSource clock, Nonces nonces) {
        this.store = store;
        this.clock = clock;
        stripes = store.stripes();
        rowClock = new RowClock(clock, stripes.count());
        writer = new RowWriter(rowClock, nonces);
        sets = ThreadLocal.withInitial(() -> new WriteSet(store));
        waited = new ThreadPoolExecutor(
                WAITED_THREADS,
                WAITED_THREADS,
                1,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                WritePath::daemon,
                (write, closed) -> {
                    throw new CellException(CellError.CLOSED, "The cell store is closed");
                });
        waited.allowCoreThreadTimeOut(true);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "cells-waited");
        thread.setDaemon(true);
        return thread;
    }

    Executor waited() {
        return waited;
    }

    @Override
    public void close() {
        waited.shutdown();
    }

    InstantSource clock() {
        return clock;
    }

    CompletableFuture<WriteResult> write(LiveTable table, RowWrite write) {
        int stripe = stripeOf(table, write);
        stripes.lock(stripe);
        for (int waits = 0; waits < RowClock.WAITS_MAX && rowClock.isAhead(stripe, write.row()); waits++) {
            stripes.unlock(stripe);
            RowClock.await();
            stripes.lock(stripe);
        }
        return writeLocked(table, write, stripe);
    }

    /** Empty, and nothing done, when the write would have to wait for another one of its row, or of a row beside it. */
    Optional<CompletableFuture<WriteResult>> tryWrite(LiveTable table, RowWrite write) {
        int stripe = stripeOf(table, write);
        if (!stripes.tryLock(stripe)) {
            return Optional.empty();
        }
        if (rowClock.isAhead(stripe, write.row())) {
            stripes.unlock(stripe);
            return Optional.empty();
        }
        return Optional.of(writeLocked(table, write, stripe));
    }

    private int stripeOf(LiveTable table, RowWrite write) {
        return stripes.stripeOf(table.layout().partition(write.row()));
    }

    /** Lets the stripe go. */
    private CompletableFuture<WriteResult> writeLocked(LiveTable table, RowWrite write, int stripe) {
        WriteSet set = sets.get();
        WriteResult result;
        Commit commit;
        try {
            result = writer.write(table, write, stripe, set);
            commit = set.commit();
        } finally {
            set.clear();
            stripes.unlock(stripe);
        }
        return TableReads.whenDurable(commit, result);
    }

    /**
     * Each with an outcome of its own.
     *
     * @param answerBytesLeft what the cells of answers may still take; when it is used up, no more writes are made that
     *     answer cells
     */
    CompletableFuture<List<WriteOutcome>> writeAll(LiveTable table, List<RowWrite> writes, AtomicLong answerBytesLeft) {
        Pieces pieces = new Pieces(table, writes, answerBytesLeft);
        while (pieces.outcomes.size() < writes.size()) {
            pieces.writeNext();
        }
        return TableReads.whenDurable(pieces.last, pieces.outcomes);
    }

    /** The writes of a batch, of which those with an outcome are done. */
    private final class Pieces {
        private final LiveTable table;
        private final List<RowWrite> writes;
        private final WriteSet set = sets.get();
        private final List<WriteOutcome> outcomes;

        /** Outcomes of writes that are not committed yet. */
        private final List<WriteOutcome> open = new ArrayList<>();

        private final AtomicLong answerBytesLeft;
        private Commit last = store.latest();

        Pieces(LiveTable table, List<RowWrite> writes, AtomicLong answerBytesLeft) {
            this.table = table;
            this.writes = writes;
            this.answerBytesLeft = answerBytesLeft;
            outcomes = new ArrayList<>(writes.size());
        }

        void writeNext() {
            int from = outcomes.size();
            int to = pieceFrom(from);
            int[] held = new int[to - from];
            for (int i = 0; i < held.length; i++) {
                held[i] = stripeOf(table, writes.get(from + i));
            }
            int[] sorted = held.clone();
            lock(from, held, sorted);
            try {
                write(from, held);
            } finally {
                set.clear();
                stripes.unlockAll(sorted);
            }
        }

        private int pieceFrom(int from) {
            long bytes = 0;
            int to = from;
            while (to < writes.size() && to - from < WRITES_PER_COMMIT && bytes < BYTES_PER_COMMIT) {
                bytes += WriteChecks.sizeBytes(writes.get(to));
                to++;
            }
            return to;
        }

        private void lock(int from, int[] held, int[] sorted) {
            stripes.lockAll(sorted);
            for (int waits = 0; waits < RowClock.WAITS_MAX && isAhead(from, held); waits++) {
                stripes.unlockAll(sorted);
                RowClock.await();
                stripes.lockAll(sorted);
            }
        }

        private boolean isAhead(int from, int[] held) {
            for (int i = 0; i < held.length; i++) {
                if (rowClock.isAhead(held[i], writes.get(from + i).row())) {
                    return true;
                }
            }
            return false;
        }

        private void write(int from, int[] held) {
            try {
                for (int i = 0; i < held.length; i++) {
                    open.add(outcome(writes.get(from + i), held[i]));
                    // Increments and appends may make far more than they brought.
                    if (set.sizeBytes() >= BYTES_PER_COMMIT) {
                        commit();
                    }
                }
                commit();
            } catch (StoreException e) {
                open.clear();
                set.clear();
                for (int i = outcomes.size() - from; i < held.length; i++) {
                    outcomes.add(e.error() == StoreError.TOO_LARGE ? alone(writes.get(from + i), held[i]) : failed(e));
                }
            }
        }

        private void commit() {
            last = set.commit();
            outcomes.addAll(open);
            open.clear();
        }

        /** One write may be more than the store takes, or many together: only that one must not be made. */
        private WriteOutcome alone(RowWrite write, int stripe) {
            try {
                WriteOutcome outcome = outcome(write, stripe);
                last = set.commit();
                return outcome;
            } catch (StoreException e) {
                return failed(e);
            } finally {
                set.clear();
            }
        }

        private static WriteOutcome failed(StoreException failure) {
            return new WriteOutcome.Failed(StoreFailures.of(failure));
        }

        private WriteOutcome outcome(RowWrite write, int stripe) {
            try {
                if (answerBytesLeft.get() <= 0 && write.returnsCells() && RowWriter.answers(write.edits())) {
                    throw new CellException(
                            CellError.ANSWERED_ENOUGH, "The batch answers enough, this write was not made");
                }
                WriteResult result = writer.write(table, write, stripe, set);
                for (Cell cell : result.cells()) {
                    answerBytesLeft.addAndGet(-cell.memoryBytes());
                }
                return new WriteOutcome.Done(result);
            } catch (CellException e) {
                return new WriteOutcome.Failed(e);
            }
        }
    }
}
