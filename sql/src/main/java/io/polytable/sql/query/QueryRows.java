package io.polytable.sql.query;

import io.polytable.sql.type.SqlType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A query's result, row by row. Close it: it holds a snapshot. */
public interface QueryRows extends AutoCloseable {
    List<Output> columns();

    boolean next();

    /** One value a column; valid until the next step. */
    @Nullable
    Object[] row();

    @Override
    void close();

    /** A column of a result. */
    record Output(String name, SqlType type) {}
}
