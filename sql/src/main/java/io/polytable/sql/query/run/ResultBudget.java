package io.polytable.sql.query.run;

import io.polytable.sql.model.transaction.HeapBudget;
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
import java.util.concurrent.atomic.AtomicLong;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBLogicalType;
import org.duckdb.DuckDBWritableVector;

/**
 * Bounds the texts of results on the heap. The driver copies a whole chunk of a result at once, some two thousand values a
 * column, whatever their size, and DuckDB's own limit ends where the copy begins. So a query whose result has texts goes
 * through a function of ours that is told their sizes, chunk by chunk, and takes them from a budget that all queries share.
 */
final class ResultBudget {
    private static final String NAME = "polytable_room";

    /** A character may take one byte in DuckDB and two on the heap. */
    private static final long HEAP_BYTES_PER_BYTE = 2;

    private final HeapBudget budget;
    private final Map<Long, Taken> queries = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    ResultBudget(HeapBudget budget) {
        this.budget = budget;
    }

    /** What one query's chunks take: the one that is read, and the one that is next. */
    private final class Taken {
        private long last;
        private long present;

        synchronized void chunk(long bytes) {
            budget.take(bytes);
            budget.giveBack(last);
            last = present;
            present = bytes;
        }

        synchronized void end() {
            budget.giveBack(last + present);
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
        try {
            query.chunk(bytes);
        } catch (SqlError full) {
            // DuckDB carries only text from here to the query's caller.
            SqlError told = new SqlError(SqlCode.OUT_OF_MEMORY, "values of the result are larger than memory allows");
            throw new SQLException(DuckErrors.marked(told), full);
        }
    }

    /** The number of a query that begins; {@link #end} it. */
    long begin() {
        long number = numbers.incrementAndGet();
        queries.put(number, new Taken());
        return number;
    }

    void end(long number) {
        Taken query = queries.remove(number);
        if (query != null) {
            query.end();
        }
    }

    /** The query with one column more before the others, which tells the sizes; nothing for one whose values are all small. */
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
        return nested ? Optional.of("strlen(CAST(" + column + " AS VARCHAR))") : Optional.empty();
    }
}
