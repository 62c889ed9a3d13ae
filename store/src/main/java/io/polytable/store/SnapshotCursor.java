package io.polytable.store;

import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Snapshot;

/** A cursor that brought its own snapshot. */
final class SnapshotCursor implements Cursor {
    private final Snapshot snapshot;
    private final Cursor cursor;

    SnapshotCursor(Snapshot snapshot, Cursor cursor) {
        this.snapshot = snapshot;
        this.cursor = cursor;
    }

    @Override
    public boolean next() {
        return cursor.next();
    }

    @Override
    public boolean seek(Bytes key) {
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
        snapshot.close();
    }
}
