package io.polytable.sql.model.table;

import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cursor over the rows of several key ranges in turn, in the store. */
final class RangeRows implements StoredRows {
    private final SqlTable table;
    private final Reader reader;
    private final Deque<KeyRange> left;
    private final Direction direction;
    private @Nullable Cursor cursor;

    RangeRows(SqlTable table, Reader reader, List<KeyRange> ranges, Direction direction) {
        this.table = table;
        this.reader = reader;
        this.direction = direction;
        left = new ArrayDeque<>();
        ranges.forEach(direction == Direction.FORWARD ? left::addLast : left::addFirst);
    }

    @Override
    public boolean next() {
        while (true) {
            if (cursor == null) {
                KeyRange range = left.pollFirst();
                if (range == null) {
                    return false;
                }
                cursor = reader.scan(table.table(), range, direction, Long.MAX_VALUE);
            }
            if (cursor.next()) {
                return true;
            }
            cursor.close();
            cursor = null;
        }
    }

    @Override
    public StoredRow row() {
        if (cursor == null) {
            throw new IllegalStateException("There is no row");
        }
        return table.format().row(cursor.key(), cursor.value());
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
