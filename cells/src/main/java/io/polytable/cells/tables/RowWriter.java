package io.polytable.cells.tables;

import io.polytable.cells.Cell;
import io.polytable.cells.Condition;
import io.polytable.cells.Edit;
import io.polytable.cells.Nonce;
import io.polytable.cells.RowWrite;
import io.polytable.cells.WriteResult;
import io.polytable.table.WriteSet;
import java.util.List;
import java.util.Optional;

/**
 * Turns row writes into rows of a write set. Everything that can refuse a write, and everything that it reads, comes
 * before its first row, so that a write which fails leaves nothing in the set. The caller holds the row's stripe.
 */
final class RowWriter {
    private final RowClock clock;
    private final Nonces nonces;
    private final CleanCounters counters = new CleanCounters();

    RowWriter(RowClock clock, Nonces nonces) {
        this.clock = clock;
        this.nonces = nonces;
    }

    WriteResult write(LiveTable table, RowWrite write, int stripe, WriteSet set) {
        WriteChecks.check(table.spec(), write);
        long now = clock.now();
        Optional<Nonce> nonce = write.nonce().filter(any -> answers(write.edits()));
        if (nonce.isPresent()) {
            Optional<WriteResult> before = nonces.find(set, table.physical(), write.row(), nonce.get(), now);
            if (before.isPresent()) {
                return before.get();
            }
        }
        ColumnReads reads = new ColumnReads(table, write.row(), set, now);
        Verdict verdict =
                write.condition().map(condition -> judge(condition, reads)).orElse(Verdict.FREE);
        WriteResult result =
                verdict.holds() ? apply(table, write, stripe, verdict, reads, set) : WriteResult.NOT_APPLIED;
        nonce.ifPresent(used -> nonces.put(set, table.physical(), used, result, now));
        return result;
    }

    /** Whether there are cells to answer. */
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

    /** Whether a condition holds, and the timestamp of the cell that says so: the write must not be older than it. */
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
            LiveTable table, RowWrite write, int stripe, Verdict verdict, ColumnReads reads, WriteSet set) {
        long time = clock.tick(stripe, write.row(), puts(write), deletes(write));
        RowChanges changes = new RowChanges(table, write.row(), reads, counters, Math.max(time, verdict.timestamp()));
        write.edits().forEach(changes::add);
        changes.applyTo(table.layout().edit(set, table.physical(), write.row()));
        List<Cell> answered = changes.answered();
        answered.forEach(cell -> clock.follow(stripe, write.row(), cell.timestamp()));
        return answered.isEmpty() || !write.returnsCells() ? WriteResult.APPLIED : new WriteResult(true, answered);
    }
}
