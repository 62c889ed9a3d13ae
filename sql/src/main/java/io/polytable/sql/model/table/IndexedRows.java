package io.polytable.sql.model.table;

import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows that index ranges point to. */
final class IndexedRows implements StoredRows {
    private final SqlTable table;
    private final SqlIndex index;
    private final Reader reader;
    private final Deque<KeyRange> left;
    private final Direction direction;
    private @Nullable Cursor cursor;
    private @Nullable StoredRow row;

    IndexedRows(SqlTable table, SqlIndex index, Reader reader, List<KeyRange> ranges, Direction direction) {
        this.table = table;
        this.index = index;
        this.reader = reader;
        this.direction = direction;
        left = new ArrayDeque<>();
        ranges.forEach(direction == Direction.FORWARD ? left::addLast : left::addFirst);
        // Opened at once: if the index was dropped, the statement can only restart before it has returned rows.
        cursor = nextRange();
    }

    @Override
    public boolean next() {
        while (step()) {
            if (cursor == null) {
                continue;
            }
            // Entries of evicted events remain for a while.
            Optional<StoredRow> found = table.get(reader, index.target(cursor.value()));
            if (found.isPresent()) {
                row = found.get();
                return true;
            }
        }
        return false;
    }

    private boolean step() {
        while (cursor != null) {
            if (cursor.next()) {
                return true;
            }
            cursor.close();
            cursor = nextRange();
        }
        return false;
    }

    private @Nullable Cursor nextRange() {
        KeyRange range = left.pollFirst();
        if (range == null) {
            return null;
        }
        try {
            return reader.scan(index.table(), range, direction, Long.MAX_VALUE);
        } catch (StoreException failure) {
            throw failure.error() == StoreError.NO_SUCH_TABLE
                    ? new SqlError(
                            SqlCode.SERIALIZATION_FAILURE,
                            "index \"" + index.def().name() + "\" of " + table.name() + " was dropped meanwhile; retry")
                    : failure;
        }
    }

    @Override
    public StoredRow row() {
        if (row == null) {
            throw new IllegalStateException("There is no row");
        }
        return row;
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
