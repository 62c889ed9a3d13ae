package io.polytable.sql.query;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A result that DuckDB computes while it is read. */
final class DuckRows implements QueryRows {
    private final ResultSet result;
    private final Plan plan;
    private final List<OpenScan> scans;
    private final Running running;
    private final Runnable end;
    private final ResultShape shape;
    private final @Nullable Object[] row;

    DuckRows(ResultSet result, ResultShape shape, Plan plan, List<OpenScan> scans, Running running, Runnable end) {
        this.result = result;
        this.shape = shape;
        this.plan = plan;
        this.scans = scans;
        this.running = running;
        this.end = end;
        row = new Object[shape.columns().size()];
    }

    @Override
    public List<Output> columns() {
        return shape.columns();
    }

    @Override
    public boolean next() {
        running.check();
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
