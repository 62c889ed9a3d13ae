package io.polytable.sql.command.read;

import io.polytable.frontend.view.AccessPath;
import io.polytable.sql.command.session.TransactionState;
import io.polytable.sql.expr.Compiled;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.Cancellation;
import io.polytable.sql.query.ListedRows;
import io.polytable.sql.query.QueryRows;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A SELECT that runs without DuckDB: it reads by key, key ranges or an index and evaluates its columns itself. */
@SuppressWarnings("ArrayRecordComponent") // Reads are never compared, and the array belongs to one statement.
record KeyRead(
        SqlTable table,
        String user,
        AccessPath path,
        @Nullable Compiled filter,
        Direction direction,
        List<QueryRows.Output> outputs,
        List<Compiled> values,
        long limit,
        long offset,
        boolean withDeleted,
        @Nullable Object[] parameters) {

    boolean isPoint() {
        return path instanceof AccessPath.Point;
    }

    QueryRows open(TransactionState.Reading reading, Cancellation cancellation) {
        reading.transaction().reads(table);
        if (path instanceof AccessPath.Point one) {
            try (reading) {
                return point(table.get(reading.transaction(), one.row()));
            }
        }
        StoredRows rows;
        try {
            reading.transaction().requireIndexes(table);
            rows = table.rows(reading.transaction(), user, path, direction);
        } catch (RuntimeException failure) {
            reading.close();
            throw failure;
        }
        return new Walk(rows, reading, cancellation);
    }

    private QueryRows point(Optional<StoredRow> found) {
        List<@Nullable Object[]> rows = new ArrayList<>(1);
        found.filter(this::isWanted).map(this::shown).filter(this::passes).ifPresent(row -> {
            if (limit > 0 && offset == 0) {
                rows.add(computed(row));
            }
        });
        return new ListedRows(outputs, rows);
    }

    private boolean isWanted(StoredRow row) {
        return withDeleted || !row.isDeleted();
    }

    private @Nullable Object[] shown(StoredRow row) {
        return table.shown(row);
    }

    private boolean passes(@Nullable Object[] row) {
        return filter == null || filter.holds(row, parameters);
    }

    private @Nullable Object[] computed(@Nullable Object[] row) {
        @Nullable Object[] result = new Object[values.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = values.get(i).value(row, parameters);
        }
        return result;
    }

    private final class Walk implements QueryRows {
        private final StoredRows rows;
        private final TransactionState.Reading reading;
        private final Cancellation cancellation;
        private long toSkip = offset;
        private long left = limit;
        private @Nullable Object[] row = new Object[0];

        Walk(StoredRows rows, TransactionState.Reading reading, Cancellation cancellation) {
            this.rows = rows;
            this.reading = reading;
            this.cancellation = cancellation;
        }

        @Override
        public List<Output> columns() {
            return outputs;
        }

        @Override
        public boolean next() {
            while (left > 0 && rows.next()) {
                cancellation.check();
                StoredRow stored = rows.row();
                if (!isWanted(stored)) {
                    continue;
                }
                @Nullable Object[] shown = shown(stored);
                if (!passes(shown)) {
                    continue;
                }
                if (toSkip > 0) {
                    toSkip--;
                    continue;
                }
                left--;
                row = computed(shown);
                return true;
            }
            return false;
        }

        @Override
        public @Nullable Object[] row() {
            return row;
        }

        @Override
        public void close() {
            try {
                rows.close();
            } finally {
                reading.close();
            }
        }
    }
}
