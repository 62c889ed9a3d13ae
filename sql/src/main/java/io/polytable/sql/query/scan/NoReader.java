package io.polytable.sql.query.scan;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import java.util.Optional;

/** A reader that refuses to read, for queries that read no table. */
public final class NoReader implements Reader {
    @Override
    public Optional<Bytes> read(Table table, RowKey key) {
        throw new IllegalStateException("A query of a file reads no table");
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        throw new IllegalStateException("A query of a file reads no table");
    }
}
