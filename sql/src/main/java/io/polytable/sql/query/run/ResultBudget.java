package io.polytable.sql.query.run;

import io.polytable.frontend.limit.Budget;
import io.polytable.sql.query.duck.DuckErrors;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBLogicalType;
import org.duckdb.DuckDBWritableVector;

/**
 * The heap budget of results. The driver copies a whole chunk of a result to the heap, some two thousand values a
 * column of any size, and DuckDB's memory limit does not cover that copy. So we wrap a query whose result has texts in
 * a function that receives their sizes, chunk by chunk, and takes them from a budget that all queries share.
 */
final class ResultBudget {
    private static final String NAME = "polytable_room";

    /** A character may take one byte in DuckDB and two on the heap. */
    private static final long HEAP_BYTES_PER_BYTE = 2;

    private final Budget budget;
    private final Map<Long, Taken> queries = new ConcurrentHashMap<>();

    ResultBudget(Budget budget) {
        this.budget = budget;
    }

    /** The bytes taken by one query's chunks: the one being read and the next one. */
    private final class Taken {
        private long last;
        private long present;

        /** Takes a chunk and gives the one before the last back; false if there is no space. */
        synchronized boolean chunk(long bytes) {
            if (!budget.tryTake(bytes)) {
                return false;
            }
            budget.release(last);
            last = present;
            present = bytes;
            return true;
        }

        synchronized void end() {
            budget.release(last + present);
            last = 0;
            present = 0;
        }
    }

    void register(Connection connection) throws SQLException {
        DuckDBFunctions.scalarFunction()
                .withName(NAME)
                .withVarArgs(DuckDBLogicalType.of(DuckDBColumnType.BIGINT))
                .withReturnType(DuckDBColumnType.BIGINT)
                .withVolatile()
                .withVectorizedFunction(this::apply)
                .register(connection);
    }

    private void apply(DuckDBDataChunkReader sizes, DuckDBWritableVector out) throws SQLException {
        long bytes = 0;
        for (long column = 1; column < sizes.columnCount(); column++) {
            for (long row = 0; row < sizes.rowCount(); row++) {
                bytes += sizes.vector(column).isNull(row)
                        ? 0
                        : sizes.vector(column).getLong(row);
            }
        }
        for (long row = 0; row < sizes.rowCount(); row++) {
            out.setLong(row, 0);
        }
        Taken query = sizes.rowCount() == 0 ? null : queries.get(sizes.vector(0).getLong(0));
        if (query != null) {
            take(query, bytes * HEAP_BYTES_PER_BYTE);
        }
    }

    private static void take(Taken query, long bytes) throws SQLException {
        if (!query.chunk(bytes)) {
            // DuckDB passes only the message on to the query's caller, so the message carries the code.
            SqlError told = new SqlError(SqlCode.OUT_OF_MEMORY, "values of the result are larger than memory allows");
            throw new SQLException(DuckErrors.marked(told), told);
        }
    }

    /** Registers a query under a number that no other has at the time; call {@link #end} when it has ended. */
    void begin(long number) {
        queries.put(number, new Taken());
    }

    void end(long number) {
        Taken query = queries.remove(number);
        if (query != null) {
            query.end();
        }
    }

    /** The query with a first column that reports the sizes; empty if all columns have a small fixed size. */
    static Optional<String> guarded(String sql, List<String> types, long number) {
        List<String> names = new ArrayList<>();
        StringBuilder sizes = new StringBuilder();
        for (int i = 0; i < types.size(); i++) {
            String name = "c" + i;
            names.add(name);
            size(types.get(i), name).ifPresent(size -> sizes.append(", ").append(size));
        }
        return sizes.isEmpty()
                ? Optional.empty()
                : Optional.of("SELECT " + NAME + "(" + number + sizes + "), q.* FROM (" + sql + ") AS q("
                        + String.join(", ", names) + ")");
    }

    private static Optional<String> size(String type, String column) {
        if (type.equals("VARCHAR") || type.equals("JSON")) {
            return Optional.of("strlen(" + column + ")");
        }
        if (type.equals("BLOB")) {
            return Optional.of("octet_length(" + column + ")");
        }
        boolean nested =
                type.endsWith("]") || type.startsWith("STRUCT") || type.startsWith("MAP") || type.startsWith("UNION");
        return nested ? Optional.of(sizeOfNested(column)) : Optional.empty();
    }

    /** An element of a list, a row or a map is an object and a text on the heap: some hundred bytes, however short. */
    private static String sizeOfNested(String column) {
        return "list_transform([CAST(" + column + " AS VARCHAR)], lambda t: strlen(t)"
                + " + 50 * (strlen(t) - strlen(translate(t, ',[{', ''))))[1]";
    }
}
