package io.polytable.sql.command.session;

import io.polytable.sql.query.QueryRows;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a statement in a transaction. An error while they are read fails the statement, as one before them does. */
final class WatchedRows implements QueryRows {
    private final QueryRows rows;
    private final Runnable failed;

    WatchedRows(QueryRows rows, Runnable failed) {
        this.rows = rows;
        this.failed = failed;
    }

    @Override
    public List<Output> columns() {
        return rows.columns();
    }

    @Override
    public boolean next() {
        try {
            return rows.next();
        } catch (RuntimeException failure) {
            failed.run();
            throw failure;
        }
    }

    @Override
    public @Nullable Object[] row() {
        return rows.row();
    }

    @Override
    public void close() {
        rows.close();
    }
}
