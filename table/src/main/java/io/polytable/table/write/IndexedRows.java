package io.polytable.table.write;

import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The own rows of a range, read from the batch as the scan advances: nothing is copied, however many there are. Later changes
 * have higher numbers and are skipped. Before the batch discards changes that the scan must still return, it copies its
 * remaining rows.
 */
final class IndexedRows implements OwnRows {
    private final SortedChanges sorted;
    private final Batch batch;
    private final int table;
    private final KeyRange range;
    private final Direction direction;
    private final NavigableMap<Bytes, DeletedRanges.Segment> deleted;
    private final IntFunction<Optional<Bytes>> values;
    private final Consumer<IndexedRows> closing;
    private final EncodedRow row = new EncodedRow();

    /** Changes from this number on were written after the scan was opened. */
    private final int size;

    private int change = SortedChanges.NONE;
    private Bytes key = Bytes.EMPTY;
    private boolean isOver;
    private @Nullable OwnRows copy;

    /**
     * Creates it, positioned before the first row.
     *
     * @param deleted the segments that range deletes removed so far, by their first key
     * @param values returns the value that a change put, empty for a delete
     * @param closing called when the rows are no longer needed
     */
    IndexedRows(
            SortedChanges sorted,
            Batch batch,
            int table,
            KeyRange range,
            Direction direction,
            NavigableMap<Bytes, DeletedRanges.Segment> deleted,
            IntFunction<Optional<Bytes>> values,
            Consumer<IndexedRows> closing) {
        this.sorted = sorted;
        this.batch = batch;
        this.table = table;
        this.range = range;
        this.direction = direction;
        this.deleted = deleted;
        this.values = values;
        this.closing = closing;
        this.size = batch.size();
    }

    int size() {
        return size;
    }

    @Override
    public boolean next() {
        OwnRows copied = copy;
        if (copied != null) {
            return copied.next();
        }
        if (isOver) {
            return false;
        }
        boolean isFirst = change == SortedChanges.NONE;
        if (direction == Direction.FORWARD) {
            return isFirst ? forward(sorted.ceiling(table, range.from(), size - 1)) : forward(behind());
        }
        if (!isFirst) {
            return back(sorted.lower(table, key));
        }
        TableKey end = TableKey.end(table, range.to());
        return back(sorted.lower(end.table(), end.key()));
    }

    @Override
    public boolean seek(Bytes target) {
        OwnRows copied = copy;
        if (copied != null) {
            return copied.seek(target);
        }
        if (isOver) {
            return false;
        }
        if (direction == Direction.FORWARD) {
            return forward(sorted.ceiling(table, target, size - 1));
        }
        int same = sorted.ceiling(table, target, size - 1);
        boolean isThere = same != SortedChanges.NONE && isOf(same) && row.key().equals(target);
        return back(isThere ? same : sorted.lower(table, target));
    }

    /** The first change after those of the current row. */
    private int behind() {
        int following = sorted.following(change);
        boolean isSame =
                following != SortedChanges.NONE && isOf(following) && row.key().equals(key);
        return isSame ? sorted.ceiling(table, key, SortedChanges.BEHIND) : following;
    }

    private boolean isOf(int number) {
        return batch.row(row, number).table() == table;
    }

    private boolean forward(int from) {
        int at = from;
        while (at != SortedChanges.NONE && isOf(at) && isBelowEnd(row.key())) {
            Bytes found = row.key();
            if (at >= size) {
                at = sorted.ceiling(table, found, size - 1);
            } else if (isDeleted(found, at)) {
                at = sorted.ceiling(table, found, SortedChanges.BEHIND);
            } else {
                return show(at);
            }
        }
        return end();
    }

    /** Starts at any change of a key and moves down; of each key the last visible change counts. */
    private boolean back(int from) {
        int at = from;
        while (at != SortedChanges.NONE && isOf(at) && row.key().compareTo(range.from()) >= 0) {
            Bytes found = row.key();
            int newest = sorted.ceiling(table, found, size - 1);
            if (newest != SortedChanges.NONE && isOf(newest) && row.key().equals(found) && !isDeleted(found, newest)) {
                return show(newest);
            }
            at = sorted.lower(table, found);
        }
        return end();
    }

    private boolean isBelowEnd(Bytes found) {
        return range.to().isEmpty() || found.compareTo(range.to()) < 0;
    }

    private boolean isDeleted(Bytes found, int number) {
        Map.Entry<Bytes, DeletedRanges.Segment> segment = deleted.floorEntry(found);
        return segment != null
                && segment.getValue().reaches(found)
                && segment.getValue().change() > number;
    }

    private boolean show(int number) {
        change = number;
        key = batch.row(row, number).key().copy();
        return true;
    }

    private boolean end() {
        isOver = true;
        closing.accept(this);
        return false;
    }

    @Override
    public Bytes key() {
        OwnRows copied = copy;
        return copied == null ? key : copied.key();
    }

    @Override
    public Optional<Bytes> value() {
        OwnRows copied = copy;
        return copied == null ? values.apply(change) : copied.value();
    }

    /** The batch is about to discard changes: copies the current row and the remaining ones. */
    void copyRest() {
        if (isOver || copy != null) {
            return;
        }
        boolean isOnRow = change != SortedChanges.NONE;
        NavigableMap<Bytes, Optional<Bytes>> rest = new TreeMap<>();
        if (isOnRow) {
            rest.put(key, values.apply(change));
        }
        while (next()) {
            rest.put(key, values.apply(change));
        }
        OwnRows copied = new Copied(rest, direction);
        if (isOnRow) {
            copied.next();
        }
        copy = copied;
    }

    @Override
    public void close() {
        closing.accept(this);
    }
}
