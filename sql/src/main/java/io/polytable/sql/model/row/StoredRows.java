package io.polytable.sql.model.row;

import java.util.NoSuchElementException;

/** A cursor over stored rows of a table. */
public interface StoredRows extends AutoCloseable {
    StoredRows NONE = new StoredRows() {
        @Override
        public boolean next() {
            return false;
        }

        @Override
        public StoredRow row() {
            throw new NoSuchElementException();
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    };

    boolean next();

    StoredRow row();

    @Override
    void close();
}
