package io.polytable.table.deadline;

import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.Column;
import io.polytable.table.ColumnType;
import io.polytable.table.Deadline;
import io.polytable.table.EncodedRow;
import io.polytable.table.KeyColumn;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The index of the rows that carry deadlines: a {@link DeadlineQueue} over all tables of a store, written in the same
 * commits as the rows. A write does not look up the row it replaces, so entries of earlier deadlines stay until they
 * are due. They are recognized as stale because the row then has another entry.
 *
 * <pre>
 * 01  indexed time:8  table id:4  row key   -&gt;  length of the row's partition:4
 * </pre>
 */
public final class DeadlineIndex {
    public static final TableSpec SPEC = new TableSpec(
            new TableName(TableName.SYSTEM_NAMESPACE, "deadlines"),
            TableKind.SYSTEM,
            List.of(new Column("entry", ColumnType.BYTES), new Column("row_partition", ColumnType.BYTES)),
            List.of(KeyColumn.ascending("entry")),
            List.of(),
            TableOptions.DEFAULT);

    private final Table index;
    private final IntFunction<Optional<Table>> tables;

    /** @param tables by their ids */
    public DeadlineIndex(Table index, IntFunction<Optional<Table>> tables) {
        this.index = index;
        this.tables = tables;
    }

    public Table table() {
        return index;
    }

    /** The batch to commit: with missing deadlines filled in, and with the index entries. */
    public Batch indexed(Batch batch, long nowMillis) {
        Batch indexed = batch.copy();
        EncodedRow row = new EncodedRow();
        for (int i = 0; i < batch.size(); i++) {
            batch.row(row, i);
            Optional<Table> table = row.op() == EncodedRow.PUT ? tables.apply(row.table()) : Optional.empty();
            if (table.isPresent() && table.get().expiry().isByRow()) {
                long deadline = Deadline.rounded(deadline(table.get(), row.value(), nowMillis), nowMillis);
                indexed.setDeadline(i, deadline);
                if (deadline != Deadline.NEVER) {
                    RowKey key = new RowKey(row.key(), row.partitionLength());
                    indexed.put(index, entry(deadline, row.table(), key.bytes()), value(key));
                }
            }
        }
        return indexed;
    }

    private static long deadline(Table table, Bytes stored, long nowMillis) {
        long deadline = Deadline.of(stored);
        return deadline == Deadline.UNSET ? table.expiry().deadlineFrom(nowMillis) : deadline;
    }

    /** The entry that belongs to a row with this deadline. */
    public static RowKey entry(long deadline, int table, Bytes rowKey) {
        byte[] name = new byte[Integer.BYTES + rowKey.length()];
        ByteBuffer.wrap(name).putInt(table);
        rowKey.copyTo(name, Integer.BYTES);
        return DeadlineQueue.key(Deadline.indexedMillis(deadline), Bytes.of(name));
    }

    static Bytes value(RowKey row) {
        return Bytes.of(
                ByteBuffer.allocate(Integer.BYTES).putInt(row.partitionLength()).array());
    }

    /** The table of an entry's row; absent if it was dropped. */
    Optional<Table> table(DeadlineQueue.Entry entry) {
        return tables.apply(intAt(entry.name()));
    }

    static RowKey row(DeadlineQueue.Entry entry) {
        return new RowKey(entry.name().from(Integer.BYTES), intAt(entry.value()));
    }

    private static int intAt(Bytes bytes) {
        return ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length()).getInt();
    }
}
