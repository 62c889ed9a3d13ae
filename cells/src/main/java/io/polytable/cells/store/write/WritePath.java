package io.polytable.cells.store.write;

import io.polytable.cells.Cell;
import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.RowRange;
import io.polytable.cells.layout.CellRows;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.WriteOutcome;
import io.polytable.cells.request.WriteResult;
import io.polytable.cells.store.definition.LiveTable;
import io.polytable.cells.store.definition.StoreFailures;
import io.polytable.frontend.answer.AnswerGate;
import io.polytable.frontend.net.Workers;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Stripes;
import io.polytable.table.TableStore;
import io.polytable.table.write.WriteSet;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Executes row writes: locks the rows' stripes, builds one write set, commits it, unlocks. Writes of a batch share
 * commits, in pieces small enough that other writers of the same stripes do not wait long.
 */
public final class WritePath implements AutoCloseable {
    private static final int RESUMER_THREADS = 2;
    private static final long CLOSE_SECONDS_MAX = 5;
    private static final int WRITES_PER_COMMIT = 256;
    private static final long BYTES_PER_COMMIT = 1 << 20;

    /** The largest value that a brief write may read or append to: a larger one takes long to read and rewrite. */
    private static final int BRIEF_VALUE_BYTES = 64 << 10;

    private static final int ANY_VALUE = Integer.MAX_VALUE;

    /** The most edits that a brief write may have if any of them reads. */
    private static final int BRIEF_EDITS_MAX = 32;

    private static final int LONG_ROWS = 256;

    /** Two pieces of at least this many writes probably share a stripe. */
    private static final int TURN_WRITES_MIN = 32;

    private final TableStore store;
    private final AnswerGate answers;
    private final Stripes stripes;
    private final InstantSource clock;
    private final RowClock rowClock;
    private final RowWriter writer;

    /**
     * Locked before the stripes of a large piece. Large pieces wait for each other anyway; without this lock they
     * would do so at one stripe after another, with a context switch each time.
     */
    private final ReentrantLock turn = new ReentrantLock();

    /**
     * Hashes of rows with large values, so that an event loop reads such a value once and not with every write. Two
     * rows of a slot evict each other.
     */
    private final AtomicIntegerArray longRows = new AtomicIntegerArray(LONG_ROWS);

    /** Runs writes that waited for space. */
    private final Workers resumer;

    /** Reuses a thread's buffers from write to write. */
    private final ThreadLocal<WriteSet> sets;

    public WritePath(TableStore store, AnswerGate answers, InstantSource clock, Nonces nonces) {
        this.store = store;
        this.answers = answers;
        this.clock = clock;
        stripes = store.stripes();
        rowClock = new RowClock(clock, stripes.count());
        writer = new RowWriter(rowClock, nonces);
        sets = ThreadLocal.withInitial(() -> new WriteSet(store));
        // Those who may wait are bounded where they wait.
        resumer = new Workers("cells-waited", RESUMER_THREADS, Integer.MAX_VALUE, CLOSE_SECONDS_MAX);
    }

    /** Runs writes that waited for space. */
    public void resume(Runnable write) {
        try {
            resumer.execute(write);
        } catch (RejectedExecutionException closed) {
            throw new CellException(CellError.CLOSED, "The cell store is closed", Map.of(), closed);
        }
    }

    @Override
    public void close() {
        resumer.close();
    }

    public InstantSource clock() {
        return clock;
    }

    public CompletableFuture<WriteResult> write(LiveTable table, RowWrite write) {
        RowWriter.Place place = placeOf(write);
        int stripe = place.stripe();
        stripes.lock(stripe);
        for (int waits = 0; waits < RowClock.WAITS_MAX && isAhead(stripe, write); waits++) {
            stripes.unlock(stripe);
            RowClock.await();
            stripes.lock(stripe);
        }
        return writeLocked(table, write, place, ANY_VALUE);
    }

    /**
     * Empty, with nothing written, if the write would need to wait for its stripe, or reads much: many columns, a large
     * value, or a whole row.
     */
    public Optional<CompletableFuture<WriteResult>> tryWrite(LiveTable table, RowWrite write) {
        RowWriter.Place place = placeOf(write);
        int stripe = place.stripe();
        int hash = 31 * table.physical().id() + place.partition().hashCode();
        boolean isLong = readsMuch(write) || longRows.get(stripe % LONG_ROWS) == hash;
        if (isLong || !stripes.tryLock(stripe)) {
            return Optional.empty();
        }
        if (isAhead(stripe, write)) {
            stripes.unlock(stripe);
            return Optional.empty();
        }
        try {
            return Optional.of(writeLocked(table, write, place, BRIEF_VALUE_BYTES));
        } catch (ColumnReads.TakesLongException later) {
            longRows.set(stripe % LONG_ROWS, hash);
            return Optional.empty();
        }
    }

    private static boolean readsMuch(RowWrite write) {
        return write.edits().size() > BRIEF_EDITS_MAX && !RowWriter.isPlain(write);
    }

    private RowWriter.Place placeOf(RowWrite write) {
        Bytes partition = CellRows.partition(write.row());
        return new RowWriter.Place(partition, stripes.stripeOf(partition));
    }

    private boolean isAhead(int stripe, RowWrite write) {
        return rowClock.isAhead(stripe, write.row(), rowClock.now());
    }

    /** Unlocks the stripe. */
    private CompletableFuture<WriteResult> writeLocked(
            LiveTable table, RowWrite write, RowWriter.Place place, int valueBytesMax) {
        WriteSet set = sets.get();
        WriteResult result;
        Commit commit;
        try {
            result = writer.write(table, write, place, set, valueBytesMax);
            commit = set.commit();
        } finally {
            set.clear();
            stripes.unlock(place.stripe());
        }
        return whenSafe(commit, result);
    }

    /**
     * Executes a batch, with one outcome per write.
     *
     * @param answerBytesLeft the remaining budget for returned cells; once it is used up, no more writes that return
     *     cells are executed
     */
    public CompletableFuture<List<WriteOutcome>> writeAll(
            LiveTable table, List<RowWrite> writes, AtomicLong answerBytesLeft) {
        Pieces pieces = new Pieces(table, writes, answerBytesLeft);
        while (pieces.outcomes.size() < writes.size()) {
            pieces.writeNext();
        }
        return whenSafe(pieces.last, pieces.outcomes);
    }

    /** Removes all cells of the rows; returns when that is durable. */
    public void remove(LiveTable table, RowRange range) {
        StoreFailures.run(() -> answers.await(new RangeRemoval(store, table, writer).remove(range)));
    }

    private <T> CompletableFuture<T> whenSafe(Commit seen, T answer) {
        return StoreFailures.translated(answers.whenSafe(seen, answer));
    }

    /** A batch that is executed in pieces; the writes that have an outcome are done. */
    private final class Pieces {
        private final LiveTable table;
        private final List<RowWrite> writes;
        private final WriteSet set = sets.get();
        private final List<WriteOutcome> outcomes;

        /** Outcomes of writes that are in the set but not committed yet. */
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
            RowWriter.Place[] places = new RowWriter.Place[to - from];
            int[] held = new int[places.length];
            for (int i = 0; i < held.length; i++) {
                places[i] = placeOf(writes.get(from + i));
                held[i] = places[i].stripe();
            }
            lock(held);
            try {
                for (int waits = 0; waits < RowClock.WAITS_MAX && isAnyAhead(from, places); waits++) {
                    unlock(held);
                    RowClock.await();
                    lock(held);
                }
                write(from, places);
            } finally {
                set.clear();
                unlock(held);
            }
        }

        private void lock(int[] held) {
            if (held.length >= TURN_WRITES_MIN) {
                turn.lock();
            }
            stripes.lockAll(held);
        }

        private void unlock(int[] held) {
            stripes.unlockAll(held);
            if (held.length >= TURN_WRITES_MIN) {
                turn.unlock();
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

        private boolean isAnyAhead(int from, RowWriter.Place[] places) {
            long now = rowClock.now();
            for (int i = 0; i < places.length; i++) {
                if (rowClock.isAhead(places[i].stripe(), writes.get(from + i).row(), now)) {
                    return true;
                }
            }
            return false;
        }

        private void write(int from, RowWriter.Place[] places) {
            try {
                for (int i = 0; i < places.length; i++) {
                    open.add(outcome(writes.get(from + i), places[i]));
                    // Increments and appends may produce far larger cells than their edits.
                    if (set.sizeBytes() >= BYTES_PER_COMMIT) {
                        commit();
                    }
                }
                commit();
            } catch (StoreException e) {
                open.clear();
                set.clear();
                for (int i = outcomes.size() - from; i < places.length; i++) {
                    outcomes.add(
                            e.error() == StoreError.TOO_LARGE ? alone(writes.get(from + i), places[i]) : failed(e));
                }
            }
        }

        private void commit() {
            last = set.commit();
            outcomes.addAll(open);
            open.clear();
        }

        /**
         * Retries a write in a commit of its own after the piece was too large: only a write that alone is too large
         * must fail.
         */
        private WriteOutcome alone(RowWrite write, RowWriter.Place place) {
            try {
                WriteOutcome outcome = outcome(write, place);
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

        private WriteOutcome outcome(RowWrite write, RowWriter.Place place) {
            try {
                if (answerBytesLeft.get() <= 0 && write.returnsCells() && RowWriter.answers(write.edits())) {
                    throw new CellException(
                            CellError.ANSWERED_ENOUGH, "The batch answers enough, this write was not made");
                }
                WriteResult result = writer.write(table, write, place, set, ANY_VALUE);
                if (result.equals(WriteResult.APPLIED)) {
                    return WriteOutcome.Done.APPLIED;
                }
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
