package io.polytable.sql.model.table;

import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.IndexDef;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.row.StoredValues;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import io.polytable.table.codec.KeyWriter;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.column.SortOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A secondary index: a table of its own whose rows point to the indexed rows. The key of an entry is (user id in a user
 * table, the indexed values, each after a byte that marks NULL, the row key), the last part only if the values alone
 * are not unique. The value of an entry is the row key.
 */
public final class SqlIndex {
    /** Before each value in the index of a stream that an older version created: a deadline, which no longer counts. */
    private static final Bytes NO_DEADLINE = new BytesWriter(Long.BYTES).i64(-1).toBytes();

    private final TableDef owner;
    private final IndexDef def;
    private final Table table;
    private final int[] columns;

    public SqlIndex(TableDef owner, IndexDef def, Table table) {
        this.owner = owner;
        this.def = def;
        this.table = table;
        columns = def.columns().stream().mapToInt(owner::indexOfId).toArray();
    }

    public static TableSpec spec(TableDef owner, IndexDef index) {
        return new TableSpec(
                new TableName(owner.physical().namespace(), index.physical()),
                TableKind.FACE,
                List.of(new Column("entry", ColumnType.BYTES), new Column("row_key", ColumnType.BYTES)),
                List.of(KeyColumn.ascending("entry")),
                List.of(),
                TableOptions.DEFAULT);
    }

    public IndexDef def() {
        return def;
    }

    public Table table() {
        return table;
    }

    /** The indexed columns, for key plans. */
    List<KeyPlan.Part> parts() {
        List<KeyPlan.Part> parts = new ArrayList<>();
        for (int column : columns) {
            ColumnDef indexed = owner.columns().get(column);
            parts.add(new KeyPlan.Part(indexed.name(), indexed.type(), true));
        }
        return parts;
    }

    Bytes prefix(String user) {
        return owner.kind() == TableKind.USER
                ? new KeyWriter().string(user, SortOrder.ASCENDING).toBytes()
                : Bytes.EMPTY;
    }

    /** Whether the index enforces uniqueness for the row: NULLs are never equal. */
    public boolean isUniqueFor(@Nullable Object[] row) {
        if (!def.unique()) {
            return false;
        }
        for (int column : columns) {
            if (row[column] == null) {
                return false;
            }
        }
        return true;
    }

    public RowKey key(String user, @Nullable Object[] row, RowKey rowKey) {
        KeyWriter out = new KeyWriter();
        if (owner.kind() == TableKind.USER) {
            out.string(user, SortOrder.ASCENDING);
        }
        for (int column : columns) {
            Object value = row[column];
            out.bool(value != null, SortOrder.ASCENDING);
            if (value != null) {
                StoredValues.writeKey(out, owner.columns().get(column).type(), value);
            }
        }
        int partition = out.length();
        if (!isUniqueFor(row)) {
            out.bytes(rowKey.bytes(), SortOrder.ASCENDING);
        }
        return new RowKey(out.toBytes(), partition);
    }

    /** The value of the row's entry. */
    public Bytes pointer(RowKey rowKey) {
        Bytes pointer = new BytesWriter(rowKey.bytes().length() + 3)
                .varint(rowKey.partitionLength())
                .raw(rowKey.bytes())
                .toBytes();
        return table.spec().options().prefixed() ? NO_DEADLINE.concat(pointer) : pointer;
    }

    /** The row to which an entry with this value points. */
    public RowKey target(Bytes value) {
        BytesReader in = new BytesReader(table.spec().options().prefixed() ? value.from(NO_DEADLINE.length()) : value);
        int partition = (int) in.varint();
        return new RowKey(in.raw(in.remaining()), partition);
    }

    /** Whether an update from one row to the other leaves the index unchanged. */
    public boolean isUntouched(@Nullable Object[] before, @Nullable Object[] after) {
        for (int column : columns) {
            if (!Objects.equals(before[column], after[column])) {
                return false;
            }
        }
        return true;
    }

    /** {@code (a, b)=(1, 2)}, for errors. */
    public String described(@Nullable Object[] row) {
        return SqlTable.described(owner, columns, row);
    }
}
