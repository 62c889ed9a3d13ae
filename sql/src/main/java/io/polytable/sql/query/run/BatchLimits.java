package io.polytable.sql.query.run;

import io.polytable.sql.query.Cancellation;
import io.polytable.sql.query.duck.DuckErrors;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.sql.Connection;
import java.sql.SQLException;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBWritableVector;

/**
 * The limits on one batch of values, some two thousand rows. DuckDB computes a batch of values in memory that its limit
 * does not count and without looking at a cancellation. Our macros therefore pass the sizes of the results to come to
 * these functions, which return true or fail.
 */
final class BatchLimits {
    private static final long ROOM_MIN = 64L << 20;
    private static final long ROOM_MAX = 256L << 20;

    /** The most steps of a quadratic function in a batch. Measured: a thousand million take about a second. */
    private static final double STEPS_MAX = 1e9;

    /** The statement that this thread plans: DuckDB computes calls with constants only while it plans. */
    private static final ThreadLocal<Cancellation> PLANNING = new ThreadLocal<>();

    private final long room;
    private final MemoryWatch memory;

    /** @param memoryBytes the memory limit of all queries together */
    BatchLimits(long memoryBytes, MemoryWatch memory) {
        room = Math.min(ROOM_MAX, Math.max(ROOM_MIN, memoryBytes / 4));
        this.memory = memory;
    }

    void register(Connection connection) throws SQLException {
        SqlError large = new SqlError(
                SqlCode.OUT_OF_MEMORY, "values are too large: a batch of rows would need more than " + room + " bytes");
        register(connection, "pg_room", (double) room, large);
        SqlError slow = new SqlError(SqlCode.LIMIT_EXCEEDED, "texts are too long for this function");
        register(connection, "pg_work", STEPS_MAX, slow);
    }

    private void register(Connection connection, String name, double limit, SqlError error) throws SQLException {
        DuckDBFunctions.scalarFunction()
                .withName(name)
                .withParameter(DuckDBColumnType.DOUBLE)
                .withReturnType(DuckDBColumnType.BOOLEAN)
                .withVectorizedFunction((amounts, out) -> check(amounts, out, limit, error))
                .register(connection);
    }

    void planning(Cancellation cancellation) {
        PLANNING.set(cancellation);
    }

    void planned() {
        PLANNING.remove();
    }

    private void checkPlanning() throws SQLException {
        Cancellation statement = PLANNING.get();
        if (statement != null) {
            try {
                statement.checkNow();
            } catch (SqlError stopped) {
                throw new SQLException(DuckErrors.marked(stopped), stopped);
            }
        }
    }

    private void check(DuckDBDataChunkReader amounts, DuckDBWritableVector out, double limit, SqlError error)
            throws SQLException {
        if (memory.isExceeded()) {
            throw new SQLException(DuckErrors.marked(MemoryWatch.error()));
        }
        checkPlanning();
        double sum = 0;
        for (long row = 0; row < amounts.rowCount(); row++) {
            sum += amounts.vector(0).isNull(row)
                    ? 0
                    : Math.max(0, amounts.vector(0).getDouble(row));
            out.setBoolean(row, true);
        }
        // Not "sum > limit": a sum that is not a number is too large, too.
        if (!(sum <= limit)) {
            throw new SQLException(DuckErrors.marked(error));
        }
    }
}
