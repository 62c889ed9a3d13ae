package io.polytable.sql.model.transaction;

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
 * A lock around a reader that is not thread-safe, for use by several threads. Cursors take the same lock for each step:
 * over uncommitted rows they iterate the index of the write set, which reads and other cursors use too.
 */
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
        return new LockedCursor(reader.scan(table, range, direction, limit));
    }

    /**
     * A cursor under the lock of the reader. Its key is stable between steps and needs no lock; a value is read from
     * the write set when it is requested.
     */
    private final class LockedCursor implements Cursor {
        private final Cursor cursor;

        LockedCursor(Cursor cursor) {
            this.cursor = cursor;
        }

        @Override
        public boolean next() {
            synchronized (LockedReader.this) {
                return cursor.next();
            }
        }

        @Override
        public boolean seek(Bytes key) {
            synchronized (LockedReader.this) {
                return cursor.seek(key);
            }
        }

        @Override
        public Bytes key() {
            return cursor.key();
        }

        @Override
        public Bytes value() {
            synchronized (LockedReader.this) {
                return cursor.value();
            }
        }

        @Override
        public ByteSlice keySlice() {
            return cursor.keySlice();
        }

        @Override
        public ByteSlice valueSlice() {
            synchronized (LockedReader.this) {
                return cursor.valueSlice();
            }
        }

        @Override
        public void close() {
            synchronized (LockedReader.this) {
                cursor.close();
            }
        }
    }
}
