package io.polytable.table;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A batch whose own reads see it: what a command, a transaction or a script writes to before it is committed as one.
 * While it is empty, reads cost nothing over the store's own. Not thread safe; used again after {@link #commit()}.
 */
public final class WriteSet implements Reader {
    /** Up to here a linear look through the batch is cheaper than a map. */
    private static final int LINEAR_MAX = 8;

    private final TableStore store;
    private final Batch batch = new Batch();
    private final EncodedRow row = new EncodedRow();

    /**
     * Which change of the batch is a key's last one; built when the batch outgrows a linear look. Sorted, so that a
     * command that writes many rows and scans in between does not pay for all of them at each scan.
     */
    private @Nullable NavigableMap<Place, Integer> index;

    private int indexed;

    private final List<Runnable> afterCommit = new ArrayList<>();
    private long unit;

    private record Place(int table, Bytes key) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            return table != other.table ? Integer.compare(table, other.table) : key.compareTo(other.key);
        }
    }

    public WriteSet(TableStore store) {
        this.store = store;
    }

    public boolean isEmpty() {
        return batch.isEmpty();
    }

    public long sizeBytes() {
        return batch.sizeBytes();
    }

    public void put(Table table, RowKey key, Bytes value) {
        batch.put(table, key, value);
    }

    public void put(Table table, RowKey key, Bytes head, Bytes tail) {
        batch.put(table, key, head, tail);
    }

    public void delete(Table table, RowKey key) {
        batch.delete(table, key);
    }

    public void deleteRange(Table table, KeyRange range) {
        batch.deleteRange(table, range);
        index = null;
    }

    /**
     * Runs the action once the next commit has succeeded, on its thread and before it returns: where something kept
     * beside the rows (a cache, a count) follows them. When the commit fails or the set is cleared, it is forgotten.
     */
    public void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    /** Tells the set's units of work apart: another number after each commit or clear. */
    public long unit() {
        return unit;
    }

    /** Commits what was written, if anything was, and is empty afterwards also when that fails. */
    public Commit commit() {
        try {
            Commit commit = batch.isEmpty() ? store.latest() : store.commit(batch);
            afterCommit.forEach(Runnable::run);
            return commit;
        } finally {
            clear();
        }
    }

    /** Forgets what was written. */
    public void clear() {
        batch.clear();
        index = null;
        afterCommit.clear();
        unit++;
    }

    @Override
    public Optional<Bytes> read(Table table, RowKey key) {
        if (batch.isEmpty()) {
            return store.read(table, key);
        }
        int found = lastChange(table.id(), key.bytes());
        if (found < 0) {
            return rangeDeleted(table.id(), key.bytes()) ? Optional.empty() : store.read(table, key);
        }
        batch.row(row, found);
        // A copy: the batch's buffer is used again after the commit, while the value may still be on its way out.
        return row.op() == EncodedRow.PUT ? Optional.of(row.value().copy()) : Optional.empty();
    }

    /** As one reading of the store while nothing was written. */
    @Override
    public List<Optional<Bytes>> readMany(Table table, List<RowKey> keys) {
        return batch.isEmpty() ? store.readMany(table, keys) : Reader.super.readMany(table, keys);
    }

    private int lastChange(int table, Bytes key) {
        if (batch.size() - batch.ranges() > LINEAR_MAX) {
            return index().getOrDefault(new Place(table, key), -1);
        }
        for (int i = batch.size() - 1; i >= batch.ranges(); i--) {
            batch.row(row, i);
            if (row.table() == table && row.key().equals(key)) {
                return i;
            }
        }
        return -1;
    }

    private NavigableMap<Place, Integer> index() {
        NavigableMap<Place, Integer> places = index;
        if (places == null) {
            places = new TreeMap<>();
            index = places;
            indexed = batch.ranges();
        }
        for (; indexed < batch.size(); indexed++) {
            batch.row(row, indexed);
            // A copy: the batch's buffer moves when it grows.
            places.put(new Place(row.table(), row.key().copy()), indexed);
        }
        return places;
    }

    private boolean rangeDeleted(int table, Bytes key) {
        for (int i = 0; i < batch.ranges(); i++) {
            batch.row(row, i);
            if (row.table() == table && KeyRange.between(row.key(), row.value()).contains(key)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        NavigableMap<Bytes, Optional<Bytes>> own = ownRows(table.id(), range);
        if (own.isEmpty() && batch.ranges() == 0) {
            return store.scan(table, range, direction, limit);
        }
        // Each own row hides at most one beneath it; how many a range delete hides is not known.
        boolean bounded = batch.ranges() == 0 && limit < Long.MAX_VALUE - own.size();
        Cursor beneath = store.scan(table, range, direction, bounded ? limit + own.size() : Long.MAX_VALUE);
        return new OverlayCursor(
                beneath,
                direction == Direction.FORWARD ? own : own.descendingMap(),
                direction,
                key -> rangeDeleted(table.id(), key),
                limit);
    }

    private NavigableMap<Bytes, Optional<Bytes>> ownRows(int table, KeyRange range) {
        NavigableMap<Bytes, Optional<Bytes>> own = new TreeMap<>();
        if (range.isEmpty()) {
            return own;
        }
        if (batch.size() - batch.ranges() > LINEAR_MAX) {
            Place from = new Place(table, range.from());
            Place to = range.to().isEmpty() ? new Place(table + 1, Bytes.EMPTY) : new Place(table, range.to());
            index().subMap(from, to).values().forEach(change -> addOwn(own, change));
            return own;
        }
        for (int i = batch.ranges(); i < batch.size(); i++) {
            batch.row(row, i);
            if (row.table() == table && range.contains(row.key())) {
                addOwn(own, i);
            }
        }
        return own;
    }

    private void addOwn(NavigableMap<Bytes, Optional<Bytes>> own, int change) {
        batch.row(row, change);
        own.put(
                row.key().copy(),
                row.op() == EncodedRow.PUT ? Optional.of(row.value().copy()) : Optional.empty());
    }
}
