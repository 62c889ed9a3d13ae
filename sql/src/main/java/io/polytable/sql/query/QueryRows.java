package io.polytable.sql.query;

import io.polytable.sql.type.SqlType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A result set, read row by row. It holds a snapshot until it is closed. */
public interface QueryRows extends AutoCloseable {
    List<Output> columns();

    boolean next();

    /** The current row, one value per column; valid until the next call of {@link #next()}. */
    @Nullable
    Object[] row();

    @Override
    void close();

    /** A column of a result. */
    record Output(String name, SqlType type) {}
}
