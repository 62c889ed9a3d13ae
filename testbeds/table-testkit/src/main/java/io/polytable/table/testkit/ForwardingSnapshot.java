package io.polytable.table.testkit;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Position;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.feed.RangeChanges;
import java.util.Optional;
import java.util.Set;

/** Forwards all calls to the wrapped snapshot; the base of wrappers. */
public abstract class ForwardingSnapshot implements Snapshot {
    private final Snapshot beneath;

    protected ForwardingSnapshot(Snapshot beneath) {
        this.beneath = beneath;
    }

    @Override
    public Optional<Bytes> read(Table table, RowKey key) {
        return beneath.read(table, key);
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        return beneath.scan(table, range, direction, limit);
    }

    @Override
    public ChangeFeed changes(Set<Table> tables) {
        return beneath.changes(tables);
    }

    @Override
    public Position position() {
        return beneath.position();
    }

    @Override
    public long version(RangeChanges changes, int range) {
        return beneath.version(changes, range);
    }

    @Override
    public void close() {
        beneath.close();
    }
}
