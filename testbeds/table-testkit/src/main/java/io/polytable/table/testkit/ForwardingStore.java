package io.polytable.table.testkit;

import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Position;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.Stripes;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableSpec;
import io.polytable.table.TableStore;
import io.polytable.table.column.Column;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.feed.RangeChanges;
import io.polytable.table.write.Batch;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Forwards all calls to the wrapped store; the base of wrappers. Table handles are passed through. */
public abstract class ForwardingStore implements TableStore {
    private final TableStore beneath;

    protected ForwardingStore(TableStore beneath) {
        this.beneath = beneath;
    }

    public final TableStore beneath() {
        return beneath;
    }

    @Override
    public Table create(TableSpec spec) {
        return beneath.create(spec);
    }

    @Override
    public Optional<Table> find(TableName name) {
        return beneath.find(name);
    }

    @Override
    public List<Table> tables() {
        return beneath.tables();
    }

    @Override
    public Table addColumn(TableName name, Column column) {
        return beneath.addColumn(name, column);
    }

    @Override
    public Table setTtl(TableName name, Optional<Duration> ttl) {
        return beneath.setTtl(name, ttl);
    }

    @Override
    public void drop(TableName name) {
        beneath.drop(name);
    }

    @Override
    public int partitions() {
        return beneath.partitions();
    }

    @Override
    public int partition(TableName name) {
        return beneath.partition(name);
    }

    @Override
    public Stripes stripes() {
        return beneath.stripes();
    }

    @Override
    public long ticket() {
        return beneath.ticket();
    }

    @Override
    public Optional<Bytes> read(Table table, RowKey key) {
        return beneath.read(table, key);
    }

    @Override
    public List<Optional<Bytes>> readMany(Table table, List<RowKey> keys) {
        return beneath.readMany(table, keys);
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        return beneath.scan(table, range, direction, limit);
    }

    @Override
    public Commit commit(Batch batch) {
        return beneath.commit(batch);
    }

    @Override
    public Commit latest() {
        return beneath.latest();
    }

    @Override
    public void flush() {
        beneath.flush();
    }

    @Override
    public boolean hasRoom() {
        return beneath.hasRoom();
    }

    @Override
    public void whenRoom(Runnable action) {
        beneath.whenRoom(action);
    }

    @Override
    public Snapshot snapshot() {
        return beneath.snapshot();
    }

    @Override
    public ChangeFeed changes(Set<Table> tables, Position from) {
        return beneath.changes(tables, from);
    }

    @Override
    public RangeChanges rangeChanges(Table table, List<Bytes> bounds) {
        return beneath.rangeChanges(table, bounds);
    }

    @Override
    public Position position() {
        return beneath.position();
    }

    @Override
    public InstantSource clock() {
        return beneath.clock();
    }

    @Override
    public Cursor expired(Table table, long limit) {
        return beneath.expired(table, limit);
    }

    @Override
    public void close() {
        beneath.close();
    }
}
