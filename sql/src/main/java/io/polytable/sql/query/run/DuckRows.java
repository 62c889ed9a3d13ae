package io.polytable.sql.query.run;

import io.polytable.sql.query.QueryRows;
import io.polytable.sql.query.duck.DuckValues;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A streamed result set: DuckDB computes it while it is read. */
final class DuckRows implements QueryRows {
    private final ResultSet result;
    private final ResultShape shape;
    private final QueryRun run;
    private final @Nullable Object[] row;
    private final boolean infinityGiven;

    /** @param infinityGiven whether a constant, a parameter or a file may have an infinite value */
    DuckRows(ResultSet result, ResultShape shape, QueryRun run, boolean infinityGiven) {
        this.result = result;
        this.shape = shape;
        this.run = run;
        this.infinityGiven = infinityGiven;
        row = new Object[shape.columns().size()];
    }

    @Override
    public List<Output> columns() {
        return shape.columns();
    }

    @Override
    public boolean next() {
        run.check();
        try {
            if (!result.next()) {
                return false;
            }
            for (int i = 0; i < row.length; i++) {
                row[i] = DuckValues.read(
                        result,
                        i + shape.first(),
                        shape.columns().get(i).type(),
                        shape.typeNames().get(i));
                if (row[i] instanceof Number number && Double.isInfinite(number.doubleValue())) {
                    requireGiven(number);
                }
            }
            return true;
        } catch (SQLException failure) {
            throw run.failed(failure);
        }
    }

    /** DuckDB returns infinity when a DOUBLE overflows. That is an error unless the input had an infinite value. */
    private void requireGiven(Number number) {
        boolean floating = number instanceof Double || number instanceof Float;
        boolean given = infinityGiven || run.sawInfinity();
        if (floating && !given) {
            throw new SqlError(SqlCode.OUT_OF_RANGE, "value out of range: overflow");
        }
    }

    @Override
    public @Nullable Object[] row() {
        return row;
    }

    @Override
    public void close() {
        run.end();
    }
}
