package io.polytable.cells.tables;

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
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * From row writes to a commit: takes the rows' stripes, builds one write set, commits it, lets the stripes go. Many writes
 * of a batch share a commit, in pieces small enough that other writers of the same stripes do not wait long.
 */
final class WritePath {
    private static final int WRITES_PER_COMMIT = 256;
    private static final long BYTES_PER_COMMIT = 4 << 20;

    private final TableStore store;
    private final Stripes stripes;
    private final InstantSource clock;
    private final RowWriter writer;

    /** The buffers of a thread's last write serve its next one. */
    private final ThreadLocal<WriteSet> sets;

    WritePath(TableStore store, InstantSource clock, Nonces nonces) {
        this.store = store;
        this.clock = clock;
        stripes = store.stripes();
        writer = new RowWriter(new RowClock(clock, stripes.count()), nonces);
        sets = ThreadLocal.withInitial(() -> new WriteSet(store));
    }

    InstantSource clock() {
        return clock;
    }

    CompletableFuture<WriteResult> write(LiveTable table, RowWrite write) {
        WriteSet set = sets.get();
        int stripe = stripes.stripeOf(table.layout().partition(write.row()));
        stripes.lock(stripe);
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

    CompletableFuture<List<WriteOutcome>> writeAll(LiveTable table, List<RowWrite> writes) {
        List<WriteOutcome> outcomes = new ArrayList<>(writes.size());
        for (int from = 0; from < writes.size(); ) {
            int to = pieceFrom(writes, from);
            outcomes.addAll(writePiece(table, writes.subList(from, to)));
            from = to;
        }
        return TableReads.whenDurable(store.latest(), outcomes);
    }

    private static int pieceFrom(List<RowWrite> writes, int from) {
        long bytes = 0;
        int to = from;
        while (to < writes.size() && to - from < WRITES_PER_COMMIT && bytes < BYTES_PER_COMMIT) {
            bytes += WriteChecks.sizeBytes(writes.get(to));
            to++;
        }
        return to;
    }

    private List<WriteOutcome> writePiece(LiveTable table, List<RowWrite> writes) {
        WriteSet set = sets.get();
        int[] held = new int[writes.size()];
        int[] sorted = new int[writes.size()];
        for (int i = 0; i < held.length; i++) {
            held[i] = stripes.stripeOf(table.layout().partition(writes.get(i).row()));
            sorted[i] = held[i];
        }
        stripes.lockAll(sorted);
        try {
            return together(table, writes, held, set);
        } catch (StoreException e) {
            if (e.error() == StoreError.TOO_LARGE && writes.size() > 1) {
                set.clear();
                return oneByOne(table, writes, held, set);
            }
            WriteOutcome failed = new WriteOutcome.Failed(StoreFailures.of(e));
            return Collections.nCopies(writes.size(), failed);
        } finally {
            set.clear();
            stripes.unlockAll(sorted);
        }
    }

    private List<WriteOutcome> together(LiveTable table, List<RowWrite> writes, int[] held, WriteSet set) {
        List<WriteOutcome> outcomes = new ArrayList<>(writes.size());
        for (int i = 0; i < held.length; i++) {
            outcomes.add(outcome(table, writes.get(i), held[i], set));
        }
        set.commit();
        return outcomes;
    }

    /** One write may be more than the store takes, or many together: only that one must not be made. */
    private List<WriteOutcome> oneByOne(LiveTable table, List<RowWrite> writes, int[] held, WriteSet set) {
        List<WriteOutcome> outcomes = new ArrayList<>(writes.size());
        for (int i = 0; i < held.length; i++) {
            try {
                WriteOutcome outcome = outcome(table, writes.get(i), held[i], set);
                set.commit();
                outcomes.add(outcome);
            } catch (StoreException e) {
                outcomes.add(new WriteOutcome.Failed(StoreFailures.of(e)));
            } finally {
                set.clear();
            }
        }
        return outcomes;
    }

    private WriteOutcome outcome(LiveTable table, RowWrite write, int stripe, WriteSet set) {
        try {
            return new WriteOutcome.Done(writer.write(table, write, stripe, set));
        } catch (CellException e) {
            return new WriteOutcome.Failed(e);
        }
    }
}
