package io.polytable.table.testkit;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Position;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.feed.RangeChanges;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;

/** A copy of every row of a {@link MemoryStore}. A table that was created later has no rows here. */
final class MemorySnapshot implements Snapshot {
    private final MemoryStore store;
    private final Map<MemoryTable, NavigableMap<Bytes, Bytes>> rows;
    private final long number;
    private final long nowMillis;
    private volatile boolean closed;

    MemorySnapshot(MemoryStore store, Map<MemoryTable, NavigableMap<Bytes, Bytes>> rows, long number, long nowMillis) {
        this.store = store;
        this.rows = rows;
        this.number = number;
        this.nowMillis = nowMillis;
    }

    @Override
    public Optional<Bytes> read(Table table, RowKey key) {
        Optional<Bytes> stored = Optional.ofNullable(rowsOf(table).get(key.bytes()));
        return table.expiry().shown(key.bytes(), stored, nowMillis);
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        return RowListCursor.over(rowsOf(table), table.expiry().alive(range, nowMillis), direction, limit);
    }

    private NavigableMap<Bytes, Bytes> rowsOf(Table table) {
        if (closed) {
            throw new StoreException(StoreError.CLOSED, "The snapshot is closed");
        }
        return rows.getOrDefault(store.own(table), MemoryStore.NO_ROWS);
    }

    @Override
    public ChangeFeed changes(Set<Table> tables) {
        if (closed) {
            throw new StoreException(StoreError.CLOSED, "The snapshot is closed");
        }
        return store.changesSince(tables, number);
    }

    @Override
    public Position position() {
        return MemoryLog.positionAfter(number);
    }

    @Override
    public long version(RangeChanges changes, int range) {
        return changes.version(range, number);
    }

    @Override
    public void close() {
        closed = true;
    }
}
