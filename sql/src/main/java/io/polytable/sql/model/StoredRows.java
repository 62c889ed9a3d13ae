package io.polytable.sql.model;

/** A walk over stored rows of a table. */
public interface StoredRows extends AutoCloseable {
    boolean next();

    StoredRow row();

    @Override
    void close();
}
