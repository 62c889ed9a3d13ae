package io.polytable.sql.model;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import java.util.Optional;

/** A reader that is for one thread, used by several in turn. */
final class LockedReader implements Reader {
    private final Reader reader;

    LockedReader(Reader reader) {
        this.reader = reader;
    }

    @Override
    public synchronized Optional<Bytes> read(Table table, RowKey key) {
        return reader.read(table, key);
    }

    @Override
    public synchronized Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        return reader.scan(table, range, direction, limit);
    }
}
