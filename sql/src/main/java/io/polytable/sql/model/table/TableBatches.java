package io.polytable.sql.model.table;

import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.row.RowFormat;
import io.polytable.table.ByteSlice;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.Table;
import io.polytable.table.codec.KeyCodec;
import io.polytable.table.codec.RowCodec;
import io.polytable.table.codec.ValueCodec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnBatch;
import io.polytable.table.column.ColumnVector;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Column batches of the rows of key ranges, decoded from the cursor's bytes directly into vectors. */
final class TableBatches implements Relation.Batches {
    private final Table table;
    private final Reader reader;
    private final Deque<KeyRange> left;
    private final ColumnBatch batch;
    private final KeyCodec.VectorReader keys;
    private final ValueCodec.VectorReader values;

    /** Whether to skip tombstones, which a byte of the value marks. */
    private final boolean skipsDeleted;

    private @Nullable Cursor cursor;

    /** @param wanted the columns of the store to read, in the order of the batch */
    TableBatches(Table table, Reader reader, List<KeyRange> ranges, List<Column> wanted, boolean skipsDeleted) {
        this.table = table;
        this.reader = reader;
        this.skipsDeleted = skipsDeleted;
        left = new ArrayDeque<>(ranges);
        batch = new ColumnBatch(wanted);
        RowCodec codec = RowCodec.of(table.spec());
        keys = codec.keys().into(vectors(codec.keys().columns(), wanted));
        values = codec.values().into(vectors(codec.values().columns(), wanted));
    }

    private List<Optional<ColumnVector>> vectors(List<Column> of, List<Column> wanted) {
        return of.stream()
                .map(column -> Optional.of(indexOf(wanted, column))
                        .filter(index -> index >= 0)
                        .map(batch::column))
                .toList();
    }

    private static int indexOf(List<Column> columns, Column column) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(column.name())) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public ColumnBatch next() {
        batch.clear();
        while (!batch.isFull()) {
            if (cursor == null) {
                KeyRange range = left.pollFirst();
                if (range == null) {
                    break;
                }
                cursor = reader.scan(table, range, Direction.FORWARD, Long.MAX_VALUE);
            }
            if (!cursor.next()) {
                cursor.close();
                cursor = null;
            } else if (!skipsDeleted || !RowFormat.isDeleted(cursor.valueSlice())) {
                read(cursor.keySlice(), cursor);
            }
        }
        return batch;
    }

    private void read(ByteSlice key, Cursor at) {
        keys.read(key);
        if (!values.wantsNothing()) {
            values.read(at.valueSlice());
        }
        batch.endRow();
    }

    @Override
    public void close() {
        left.clear();
        if (cursor != null) {
            cursor.close();
            cursor = null;
        }
    }
}
