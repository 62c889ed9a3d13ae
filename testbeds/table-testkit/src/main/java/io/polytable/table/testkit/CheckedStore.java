package io.polytable.table.testkit;

import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Position;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableSpec;
import io.polytable.table.TableStore;
import io.polytable.table.column.Column;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.feed.RangeChanges;
import io.polytable.table.write.Batch;
import io.polytable.table.write.EncodedRow;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A wrapper that checks the contract of callers and store, and throws an {@link AssertionError} at the first violation.
 *
 * <ul>
 *   <li>Cursors, snapshots and feeds are closed before the store, used by one thread at a time, cursors never after
 *       close; their rows and changes match the request.
 *   <li>A batch is not modified while it is committed.
 *   <li>A key always has the same partition, in reads, writes and scans.
 *   <li>Tickets grow, tables match their specs, a durable commit stays durable.
 * </ul>
 */
public final class CheckedStore extends ForwardingStore {
    private final OpenResources open = new OpenResources();
    private final Partitions partitions = new Partitions();
    private final AtomicLong lastTicket = new AtomicLong(Long.MIN_VALUE);
    private volatile Optional<Commit> lastDurable = Optional.empty();

    public CheckedStore(TableStore beneath) {
        super(beneath);
    }

    static void require(boolean holds, String text) {
        if (!holds) {
            throw new AssertionError("Contract broken: " + text);
        }
    }

    /** The number of open cursors, snapshots and feeds. */
    public int openThings() {
        return open.count();
    }

    @Override
    public Table create(TableSpec spec) {
        Table table = super.create(spec);
        require(table.spec().equals(spec), "a created table has another spec");
        return table;
    }

    @Override
    public Optional<Table> find(TableName name) {
        Optional<Table> found = super.find(name);
        found.ifPresent(table -> require(table.name().equals(name), "a found table has another name"));
        return found;
    }

    @Override
    public List<Table> tables() {
        List<Table> tables = super.tables();
        for (int i = 1; i < tables.size(); i++) {
            TableName a = tables.get(i - 1).name();
            TableName b = tables.get(i).name();
            int order = Arrays.compare(new String[] {a.namespace(), a.name()}, new String[] {b.namespace(), b.name()});
            require(order < 0, "tables are not listed by name");
        }
        return tables;
    }

    @Override
    public Table addColumn(TableName name, Column column) {
        Table table = super.addColumn(name, column);
        require(table.spec().columns().contains(column), "an added column is not in the spec");
        return table;
    }

    @Override
    public long ticket() {
        long before = lastTicket.get();
        long ticket = super.ticket();
        require(ticket > before, "a ticket is not larger than one handed out before");
        lastTicket.accumulateAndGet(ticket, Math::max);
        return ticket;
    }

    @Override
    public Optional<Bytes> read(Table table, RowKey key) {
        return readOn(beneath(), table, key);
    }

    private Optional<Bytes> readOn(Reader reader, Table table, RowKey key) {
        partitions.check(table.id(), key.bytes(), key.partitionLength());
        return reader.read(table, key);
    }

    @Override
    public List<Optional<Bytes>> readMany(Table table, List<RowKey> keys) {
        return readManyOn(beneath(), table, keys);
    }

    private List<Optional<Bytes>> readManyOn(Reader reader, Table table, List<RowKey> keys) {
        keys.forEach(key -> partitions.check(table.id(), key.bytes(), key.partitionLength()));
        List<Optional<Bytes>> values = reader.readMany(table, keys);
        require(values.size() == keys.size(), "not one answer for each key");
        return values;
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        return scanOn(beneath(), table, range, direction, limit);
    }

    private Cursor scanOn(Reader reader, Table table, KeyRange range, Direction direction, long limit) {
        require(limit >= 0, "a limit is negative");
        CheckedCursor.Scan scan = new CheckedCursor.Scan(table.id(), range, direction, limit);
        return new CheckedCursor(reader.scan(table, range, direction, limit), scan, partitions, open);
    }

    @Override
    public Commit commit(Batch batch) {
        Bytes before = contentOf(batch);
        checkPartitions(batch);
        Commit commit = super.commit(batch);
        require(contentOf(batch).equals(before), "a batch was touched while it was committed");
        noteDurable(commit);
        return commit;
    }

    private static Bytes contentOf(Batch batch) {
        byte[] content = new byte[Math.toIntExact(batch.sizeBytes())];
        batch.copyTo(content, 0);
        return Bytes.of(content);
    }

    private void checkPartitions(Batch batch) {
        EncodedRow row = new EncodedRow();
        for (int i = 0; i < batch.size(); i++) {
            batch.row(row, i);
            if (row.op() != EncodedRow.DELETE_RANGE) {
                partitions.check(row.table(), row.key(), row.partitionLength());
            }
        }
    }

    @Override
    public Commit latest() {
        Commit commit = super.latest();
        noteDurable(commit);
        return commit;
    }

    private void noteDurable(Commit commit) {
        lastDurable.ifPresent(before -> require(before.isDurable(), "a durable commit is durable no more"));
        if (commit.isDurable()) {
            lastDurable = Optional.of(commit);
        }
    }

    @Override
    public Snapshot snapshot() {
        return new CheckedSnapshot(super.snapshot());
    }

    @Override
    public ChangeFeed changes(Set<Table> tables, Position from) {
        return new CheckedFeed(super.changes(tables, from), tables, open);
    }

    @Override
    public void close() {
        super.close();
        open.requireNone();
    }

    private final class CheckedSnapshot implements Snapshot {
        private final Snapshot beneath;

        CheckedSnapshot(Snapshot beneath) {
            this.beneath = beneath;
            open.opened(this);
        }

        @Override
        public Optional<Bytes> read(Table table, RowKey key) {
            return readOn(beneath, table, key);
        }

        @Override
        public List<Optional<Bytes>> readMany(Table table, List<RowKey> keys) {
            return readManyOn(beneath, table, keys);
        }

        @Override
        public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
            return scanOn(beneath, table, range, direction, limit);
        }

        @Override
        public ChangeFeed changes(Set<Table> tables) {
            return new CheckedFeed(beneath.changes(tables), tables, open);
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
            open.closed(this);
            beneath.close();
        }
    }
}
