package io.polytable.sql.query;

import io.polytable.sql.type.SqlType;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A result that DuckDB computes while it is read. */
final class DuckRows implements QueryRows {
    private final ResultSet result;
    private final Plan plan;
    private final List<OpenScan> scans;
    private final Running running;
    private final Runnable end;
    private final List<Output> columns = new ArrayList<>();
    private final @Nullable Object[] row;

    DuckRows(ResultSet result, Plan plan, List<OpenScan> scans, Running running, Runnable end) throws SQLException {
        this.result = result;
        this.plan = plan;
        this.scans = scans;
        this.running = running;
        this.end = end;
        ResultSetMetaData meta = result.getMetaData();
        for (int i = 1; i <= meta.getColumnCount(); i++) {
            String name = meta.getColumnTypeName(i);
            SqlType type = name.startsWith("DECIMAL")
                    ? DuckValues.type(name, meta.getPrecision(i), meta.getScale(i))
                    : DuckValues.type(name, 0, 0);
            columns.add(new Output(meta.getColumnName(i), type));
        }
        row = new Object[columns.size()];
    }

    @Override
    public List<Output> columns() {
        return columns;
    }

    @Override
    public boolean next() {
        try {
            if (!result.next()) {
                return false;
            }
            for (int i = 0; i < row.length; i++) {
                row[i] = DuckValues.read(result, i + 1, columns.get(i).type());
            }
            return true;
        } catch (SQLException failure) {
            throw DuckEngine.failure(failure, plan, scans, running);
        }
    }

    @Override
    public @Nullable Object[] row() {
        return row;
    }

    @Override
    public void close() {
        end.run();
    }
}
