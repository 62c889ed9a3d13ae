package io.polytable.sql.query.scan;

import io.polytable.sql.query.Cancellation;
import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import java.util.Optional;

/**
 * A reader for the statement's own thread that checks for cancellation. It does so at every row of the store, because a
 * relation may skip any number of rows, such as tombstones, before it returns one.
 */
public record CancellableReader(Reader reader, Cancellation cancellation) implements Reader {
    @Override
    public Optional<Bytes> read(Table table, RowKey key) {
        cancellation.check();
        return reader.read(table, key);
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        cancellation.check();
        return new CancellableCursor(reader.scan(table, range, direction, limit), cancellation);
    }

    private record CancellableCursor(Cursor cursor, Cancellation cancellation) implements Cursor {
        @Override
        public boolean next() {
            cancellation.check();
            return cursor.next();
        }

        @Override
        public boolean seek(Bytes key) {
            cancellation.check();
            return cursor.seek(key);
        }

        @Override
        public Bytes key() {
            return cursor.key();
        }

        @Override
        public Bytes value() {
            return cursor.value();
        }

        @Override
        public ByteSlice keySlice() {
            return cursor.keySlice();
        }

        @Override
        public ByteSlice valueSlice() {
            return cursor.valueSlice();
        }

        @Override
        public void close() {
            cursor.close();
        }
    }
}
