package io.polytable.cells.store.write;

import io.polytable.cells.Cell;
import io.polytable.cells.layout.RowEditor;
import io.polytable.cells.request.Condition;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.Nonce;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.WriteResult;
import io.polytable.cells.store.definition.LiveTable;
import io.polytable.table.Bytes;
import io.polytable.table.write.WriteSet;
import java.util.List;
import java.util.Optional;

/**
 * Turns a row write into rows of a write set. All validation and all reads come before its first row, so that a failed
 * write leaves nothing in the set. The caller holds the row's stripe.
 */
final class RowWriter {
    private final RowClock clock;
    private final Nonces nonces;
    private final CounterCache counters = new CounterCache();

    /** A row's partition, which is the common prefix of its keys, and the stripe that guards it. */
    record Place(Bytes partition, int stripe) {}

    RowWriter(RowClock clock, Nonces nonces) {
        this.clock = clock;
        this.nonces = nonces;
    }

    /** @param valueBytesMax as for {@link ColumnReads} */
    WriteResult write(LiveTable table, RowWrite write, Place place, WriteSet set, int valueBytesMax) {
        WriteChecks.check(table.spec(), write);
        long now = clock.now();
        if (isPlain(write)) {
            put(table, write, place, now, set);
            return WriteResult.APPLIED;
        }
        Optional<Nonce> nonce = write.nonce().filter(any -> answers(write.edits()));
        if (nonce.isPresent()) {
            Optional<WriteResult> before = nonces.find(set, table.physical(), write.row(), nonce.get(), now);
            if (before.isPresent()) {
                return before.get();
            }
        }
        ColumnReads reads = new ColumnReads(table, write.row(), set, now, valueBytesMax);
        Verdict verdict =
                write.condition().map(condition -> judge(condition, reads)).orElse(Verdict.FREE);
        WriteResult result =
                verdict.holds() ? apply(table, write, place, verdict, reads, set) : WriteResult.NOT_APPLIED;
        nonce.ifPresent(used -> nonces.put(set, table.physical(), used, result, now));
        return result;
    }

    /** Forgets what is cached of a row; the caller holds its stripe. */
    void evict(LiveTable table, Bytes row) {
        counters.evict(table.physical(), row);
    }

    /** Whether the write has only puts: the usual case, with a shorter path. */
    static boolean isPlain(RowWrite write) {
        if (write.condition().isPresent()) {
            return false;
        }
        for (Edit edit : write.edits()) {
            if (!(edit instanceof Edit.Put)) {
                return false;
            }
        }
        return true;
    }

    private void put(LiveTable table, RowWrite write, Place place, long now, WriteSet set) {
        Bytes row = write.row();
        long time = clock.tick(place.stripe(), row, now, true, false);
        counters.evict(table.physical(), row);
        RowEditor editor = new RowEditor(set, table.physical(), place.partition());
        for (Edit edit : write.edits()) {
            Edit.Put put = (Edit.Put) edit;
            counters.evict(table.physical(), row, put.family(), put.qualifier());
            editor.put(put.at(row, time));
        }
    }

    /** Whether the edits produce cells to return. */
    static boolean answers(List<Edit> edits) {
        for (Edit edit : edits) {
            if (edit instanceof Edit.Increment || edit instanceof Edit.Append) {
                return true;
            }
        }
        return false;
    }

    private static boolean deletes(RowWrite write) {
        for (Edit edit : write.edits()) {
            if (isDelete(edit)) {
                return true;
            }
        }
        return false;
    }

    private static boolean puts(RowWrite write) {
        for (Edit edit : write.edits()) {
            if (!isDelete(edit)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isDelete(Edit edit) {
        return edit instanceof Edit.Delete || edit instanceof Edit.DeleteRow;
    }

    /** Whether a condition holds, and the timestamp of the cell that decided it: the write must not be older. */
    private record Verdict(boolean holds, long timestamp) {
        static final Verdict FREE = new Verdict(true, 0);

        static Verdict of(boolean holds, Optional<Cell> cell) {
            return new Verdict(holds, cell.map(Cell::timestamp).orElse(0L));
        }
    }

    private static Verdict judge(Condition condition, ColumnReads reads) {
        if (condition instanceof Condition.Selects selects) {
            List<Cell> found = reads.select(selects.selection());
            return Verdict.of(!found.isEmpty(), found.stream().findFirst());
        }
        if (condition instanceof Condition.Compares compares) {
            Optional<Cell> newest = reads.newest(compares.family(), compares.qualifier(), compares.times());
            boolean holds = newest.isPresent()
                    && compares.relation().holds(newest.get().value().compareTo(compares.value()));
            return Verdict.of(holds, newest);
        }
        if (condition instanceof Condition.Matches matches) {
            Optional<Cell> newest = reads.newest(matches.family(), matches.qualifier(), matches.times());
            return Verdict.of(matches.test().test(newest), newest);
        }
        Condition.Absent absent = (Condition.Absent) condition;
        Optional<Cell> newest = reads.newest(absent.family(), absent.qualifier(), absent.times());
        return Verdict.of(newest.isEmpty(), newest);
    }

    private WriteResult apply(
            LiveTable table, RowWrite write, Place place, Verdict verdict, ColumnReads reads, WriteSet set) {
        if (write.condition().isPresent()) {
            WriteChecks.checkFamilies(table.spec(), write);
        }
        int stripe = place.stripe();
        long time = clock.tick(stripe, write.row(), reads.nowMillis(), puts(write), deletes(write));
        RowChanges changes = new RowChanges(table, write, reads, counters, Math.max(time, verdict.timestamp()));
        write.edits().forEach(changes::add);
        counters.evict(table.physical(), write.row());
        changes.applyTo(new RowEditor(set, table.physical(), place.partition()));
        changes.step().ifPresent(step -> {
            counters.cache(step);
            // A later write of this set to the row evicts the step; a step that is never committed is never used.
            set.afterCommit(step::committed);
        });
        List<Cell> answered = changes.answered();
        answered.forEach(cell -> clock.follow(stripe, write.row(), cell.timestamp()));
        return answered.isEmpty() || !write.returnsCells() ? WriteResult.APPLIED : new WriteResult(true, answered);
    }
}
