package io.polytable.sql.query.run;

import io.polytable.sql.query.QueryRows.Output;
import io.polytable.sql.query.duck.DuckValues;
import io.polytable.sql.type.SqlType;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a result.
 *
 * @param typeNames DuckDB's names of their types
 * @param first the JDBC index, from 1, of the first column
 */
record ResultShape(List<Output> columns, List<String> typeNames, int first) {
    ResultShape {
        columns = List.copyOf(columns);
        typeNames = List.copyOf(typeNames);
    }

    static ResultShape of(ResultSetMetaData meta) throws SQLException {
        List<Output> columns = new ArrayList<>();
        List<String> typeNames = new ArrayList<>();
        for (int i = 1; i <= meta.getColumnCount(); i++) {
            String name = meta.getColumnTypeName(i);
            SqlType type = name.startsWith("DECIMAL")
                    ? DuckValues.type(name, meta.getPrecision(i), meta.getScale(i))
                    : DuckValues.type(name, 0, 0);
            columns.add(new Output(meta.getColumnName(i), type));
            typeNames.add(name);
        }
        return new ResultShape(columns, typeNames, 1);
    }

    /** Without the first column, which {@link ResultBudget} added, and with the original names of the others. */
    ResultShape withoutGuardColumn(ResultShape named) {
        List<Output> own = new ArrayList<>();
        for (int i = 1; i < columns.size(); i++) {
            own.add(new Output(named.columns.get(i - 1).name(), columns.get(i).type()));
        }
        return new ResultShape(own, typeNames.subList(1, typeNames.size()), 2);
    }

    /** The columns of the result. If types depend on parameters, it takes a run, with LIMIT 0, to know them. */
    static ResultShape of(
            PreparedStatement statement, DuckDBConnection connection, String sql, List<@Nullable Object> bound)
            throws SQLException {
        ResultShape shape = ResultShape.of(statement.getMetaData());
        if (!shape.typeNames().contains("UNKNOWN")) {
            return shape;
        }
        try (PreparedStatement empty = connection.prepareStatement("SELECT * FROM (" + sql + ") LIMIT 0")) {
            DuckValues.bind(empty, bound);
            try (ResultSet none = empty.executeQuery()) {
                return ResultShape.of(none.getMetaData());
            }
        }
    }
}
