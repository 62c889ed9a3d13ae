package io.polytable.table;

import java.util.Arrays;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/**
 * Finds in a batch the last change of a key. Small batches are looked through; a larger one gets a sorted index, brought
 * up to date when it is asked, so that a command that writes many rows and scans in between does not pay for all of them
 * at each scan. Each change remembers the one of its key before it, so that the last changes can be taken back.
 */
final class ChangeIndex {
    static final int NONE = -1;

    /** Up to here a linear look through the batch is cheaper than a map. */
    private static final int LINEAR_MAX = 8;

    private final Batch batch;
    private final EncodedRow row = new EncodedRow();
    private final NavigableMap<TableKey, Integer> lastChanges = new TreeMap<>();
    private DeletedRanges deleted = new DeletedRanges();
    private int[] before = new int[0];
    private int indexed;

    ChangeIndex(Batch batch) {
        this.batch = batch;
    }

    /** The last change that put or deleted the key, alone or with a range; or {@link #NONE}. */
    int last(int table, Bytes key) {
        if (isSmall()) {
            return lookThrough(table, key);
        }
        bringUpToDate();
        int own = lastChanges.getOrDefault(new TableKey(table, key), NONE);
        return deleted.isEmpty() ? own : Math.max(own, deleted.find(table, key));
    }

    private boolean isSmall() {
        return indexed == 0 && batch.size() <= LINEAR_MAX;
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

    /** The last change of each own row of the range, unless a later range delete covers it; in no certain order. */
    void forEach(int table, KeyRange range, IntConsumer action) {
        if (isSmall()) {
            for (int i = 0; i < batch.size(); i++) {
                batch.row(row, i);
                if (row.table() == table && row.op() != EncodedRow.DELETE_RANGE && range.contains(row.key())) {
                    if (lookThrough(table, batch.row(row, i).key()) == i) {
                        action.accept(i);
                    }
                }
            }
            return;
        }
        bringUpToDate();
        lastChanges
                .subMap(new TableKey(table, range.from()), TableKey.end(table, range.to()))
                .forEach((key, change) -> {
                    if (deleted.isEmpty() || deleted.find(table, key.key()) < change) {
                        action.accept(change);
                    }
                });
    }

    /** First and end of the disjoint parts of the range, or beyond it, that range deletes took out. */
    NavigableMap<Bytes, Bytes> deletedIn(int table, KeyRange range) {
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
        if (before.length < batch.size()) {
            before = Arrays.copyOf(before, Math.max(batch.size(), before.length * 2));
        }
        for (; indexed < batch.size(); indexed++) {
            batch.row(row, indexed);
            // Copies: the batch's buffer moves when it grows.
            if (row.op() == EncodedRow.DELETE_RANGE) {
                deleted.add(row.table(), row.key().copy(), row.value().copy(), indexed);
            } else {
                Integer previous =
                        lastChanges.put(new TableKey(row.table(), row.key().copy()), indexed);
                before[indexed] = previous == null ? NONE : previous;
            }
        }
    }

    /** The changes from there on are about to be taken out of the batch. */
    void forgetFrom(int change) {
        while (indexed > change) {
            indexed--;
            batch.row(row, indexed);
            if (row.op() == EncodedRow.DELETE_RANGE) {
                deleted.undo();
            } else if (before[indexed] == NONE) {
                lastChanges.remove(new TableKey(row.table(), row.key()));
            } else {
                lastChanges.replace(new TableKey(row.table(), row.key()), before[indexed]);
            }
        }
    }

    void clear() {
        if (indexed > 0) {
            lastChanges.clear();
            deleted = new DeletedRanges();
            before = new int[0];
            indexed = 0;
        }
    }
}
