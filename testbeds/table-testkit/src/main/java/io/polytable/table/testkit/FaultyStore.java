package io.polytable.table.testkit;

import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Position;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableSpec;
import io.polytable.table.TableStore;
import io.polytable.table.column.Column;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.feed.RangeChanges;
import io.polytable.table.write.Batch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A wrapper that injects failures where its {@link FaultPlan} says, and only as the contract allows: with a retryable
 * error, before any effect. A failed commit leaves nothing, a failed cursor or feed keeps its position.
 */
public final class FaultyStore extends ForwardingStore {
    private final FaultPlan plan;

    public FaultyStore(TableStore beneath, FaultPlan plan) {
        super(beneath);
        this.plan = plan;
    }

    @Override
    public Table create(TableSpec spec) {
        plan.call("create", StoreError.NO_ROOM);
        return super.create(spec);
    }

    @Override
    public Table addColumn(TableName name, Column column) {
        plan.call("addColumn", StoreError.NO_ROOM);
        return super.addColumn(name, column);
    }

    @Override
    public void drop(TableName name) {
        plan.call("drop", StoreError.NO_ROOM);
        super.drop(name);
    }

    @Override
    public Commit commit(Batch batch) {
        plan.call("commit", StoreError.NO_ROOM);
        return super.commit(batch);
    }

    @Override
    public Optional<Bytes> read(Table table, RowKey key) {
        plan.call("read", StoreError.IO);
        return super.read(table, key);
    }

    @Override
    public List<Optional<Bytes>> readMany(Table table, List<RowKey> keys) {
        plan.call("readMany", StoreError.IO);
        return super.readMany(table, keys);
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        return scanOn(beneath(), table, range, direction, limit);
    }

    private Cursor scanOn(Reader reader, Table table, KeyRange range, Direction direction, long limit) {
        plan.call("scan", StoreError.TOO_MANY);
        return new FaultyCursor(reader.scan(table, range, direction, limit));
    }

    @Override
    public Snapshot snapshot() {
        plan.call("snapshot", StoreError.TOO_MANY);
        return new FaultySnapshot(super.snapshot());
    }

    @Override
    public ChangeFeed changes(Set<Table> tables, Position from) {
        plan.call("changes", StoreError.TOO_MANY);
        return new FaultyFeed(super.changes(tables, from));
    }

    private final class FaultyCursor implements Cursor {
        private final Cursor beneath;

        FaultyCursor(Cursor beneath) {
            this.beneath = beneath;
        }

        @Override
        public boolean next() {
            plan.call("next", StoreError.IO);
            return beneath.next();
        }

        @Override
        public boolean seek(Bytes key) {
            plan.call("seek", StoreError.IO);
            return beneath.seek(key);
        }

        @Override
        public Bytes key() {
            return beneath.key();
        }

        @Override
        public Bytes value() {
            return beneath.value();
        }

        @Override
        public ByteSlice keySlice() {
            return beneath.keySlice();
        }

        @Override
        public ByteSlice valueSlice() {
            return beneath.valueSlice();
        }

        @Override
        public void close() {
            beneath.close();
        }
    }

    private final class FaultySnapshot implements Snapshot {
        private final Snapshot beneath;

        FaultySnapshot(Snapshot beneath) {
            this.beneath = beneath;
        }

        @Override
        public Optional<Bytes> read(Table table, RowKey key) {
            plan.call("read", StoreError.IO);
            return beneath.read(table, key);
        }

        @Override
        public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
            return scanOn(beneath, table, range, direction, limit);
        }

        @Override
        public ChangeFeed changes(Set<Table> tables) {
            return new FaultyFeed(beneath.changes(tables));
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

    private final class FaultyFeed implements ChangeFeed {
        private final ChangeFeed beneath;

        FaultyFeed(ChangeFeed beneath) {
            this.beneath = beneath;
        }

        @Override
        public List<Change> poll(int most, Duration wait) {
            plan.call("poll", StoreError.IO);
            return beneath.poll(most, wait);
        }

        @Override
        public void whenReady(Runnable action) {
            beneath.whenReady(action);
        }

        @Override
        public Position position() {
            return beneath.position();
        }

        @Override
        public void close() {
            beneath.close();
        }
    }
}
