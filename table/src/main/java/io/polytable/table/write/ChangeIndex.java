package io.polytable.table.write;

import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Finds the last change of a key in a batch. Small batches are searched linearly. Larger ones get a sorted index,
 * updated lazily, so that a command that alternates between writes and scans does not index the whole batch at each
 * scan. The index takes less memory than the batch. Only range deletes take more, and the batch counts them accordingly
 * ({@link Batch#RANGE_DELETE_BYTES}).
 */
final class ChangeIndex {
    static final int NONE = SortedChanges.NONE;

    /** Up to this size a linear search is cheaper than an index. */
    private static final int LINEAR_MAX = 8;

    private final Batch batch;
    private final EncodedRow row = new EncodedRow();
    private final SortedChanges sorted;
    private DeletedRanges deleted = new DeletedRanges();

    /** Open scans that read from the batch as they advance. */
    private final List<IndexedRows> open = new ArrayList<>();

    ChangeIndex(Batch batch) {
        this.batch = batch;
        this.sorted = new SortedChanges(batch);
    }

    /** The last change that put or deleted the key, alone or with a range; or {@link #NONE}. */
    int last(int table, Bytes key) {
        if (isSmall()) {
            return lookThrough(table, key);
        }
        bringUpToDate();
        int own = sorted.ceiling(table, key, SortedChanges.NEWEST);
        boolean isThere =
                own != NONE && batch.row(row, own).table() == table && row.key().equals(key);
        int alone = isThere ? own : NONE;
        return deleted.isEmpty() ? alone : Math.max(alone, deleted.find(table, key));
    }

    private boolean isSmall() {
        return sorted.size() == 0 && batch.size() <= LINEAR_MAX;
    }

    private int lookThrough(int table, Bytes key) {
        for (int i = batch.size() - 1; i >= 0; i--) {
            batch.row(row, i);
            if (row.table() == table && touches(key)) {
                return i;
            }
        }
        return NONE;
    }

    private boolean touches(Bytes key) {
        return row.op() == EncodedRow.DELETE_RANGE
                ? KeyRange.between(row.key(), row.value()).contains(key)
                : row.key().equals(key);
    }

    /**
     * The last change of each own row of the range, unless a later range delete covers it.
     *
     * @param deletedThere {@link #deletedIn} of the same range
     * @param values returns the value that a change put, empty for a delete
     */
    OwnRows rows(
            int table,
            KeyRange range,
            Direction direction,
            NavigableMap<Bytes, DeletedRanges.Segment> deletedThere,
            IntFunction<Optional<Bytes>> values) {
        if (isSmall()) {
            return new OwnRows.Copied(few(table, range, values), direction);
        }
        bringUpToDate();
        IndexedRows rows = new IndexedRows(sorted, batch, table, range, direction, deletedThere, values, open::remove);
        open.add(rows);
        return rows;
    }

    private NavigableMap<Bytes, Optional<Bytes>> few(int table, KeyRange range, IntFunction<Optional<Bytes>> values) {
        NavigableMap<Bytes, Optional<Bytes>> rows = new TreeMap<>();
        for (int i = 0; i < batch.size(); i++) {
            batch.row(row, i);
            if (row.table() == table && row.op() != EncodedRow.DELETE_RANGE && range.contains(row.key())) {
                Bytes key = row.key().copy();
                if (lookThrough(table, key) == i) {
                    rows.put(key, values.apply(i));
                }
            }
        }
        return rows;
    }

    /** The disjoint segments that range deletes removed from the range, by their first key; they may extend beyond it. */
    NavigableMap<Bytes, DeletedRanges.Segment> deletedIn(int table, KeyRange range) {
        if (batch.rangeDeletes() == 0) {
            return new TreeMap<>();
        }
        if (!isSmall()) {
            bringUpToDate();
            return deleted.within(table, range);
        }
        DeletedRanges few = new DeletedRanges();
        for (int i = 0; i < batch.size(); i++) {
            batch.row(row, i);
            if (row.op() == EncodedRow.DELETE_RANGE) {
                few.add(row.table(), row.key().copy(), row.value().copy(), i);
            }
        }
        return few.within(table, range);
    }

    private void bringUpToDate() {
        if (sorted.size() < batch.size()) {
            sorted.reserve(batch.size() - sorted.size());
        }
        for (int next = sorted.size(); next < batch.size(); next++) {
            batch.row(row, next);
            boolean isRange = row.op() == EncodedRow.DELETE_RANGE;
            if (isRange) {
                // Copies: the batch's buffer moves when it grows.
                deleted.add(row.table(), row.key().copy(), row.value().copy(), next);
            }
            sorted.add(!isRange);
        }
    }

    /** The changes from there on are about to be removed from the batch. */
    void forgetFrom(int change) {
        copyOpen(change);
        while (sorted.size() > change) {
            batch.row(row, sorted.size() - 1);
            if (row.op() == EncodedRow.DELETE_RANGE) {
                deleted.undo();
            }
            sorted.removeLast();
        }
    }

    /** All changes are about to be removed from the batch. */
    void clear() {
        copyOpen(0);
        if (sorted.size() > 0) {
            sorted.clear();
            deleted = new DeletedRanges();
        }
    }

    /** Open scans keep their view: they copy the rows that are about to be removed. */
    private void copyOpen(int change) {
        for (IndexedRows rows : List.copyOf(open)) {
            if (rows.size() > change) {
                rows.copyRest();
                open.remove(rows);
            }
        }
    }
}
