package io.polytable.sql.command.read;

import io.polytable.frontend.view.AccessPath;
import io.polytable.sql.command.plan.PlainSelect.OrderColumn;
import io.polytable.sql.command.plan.Plan;
import io.polytable.sql.command.session.TransactionState;
import io.polytable.sql.expr.Compiled;
import io.polytable.sql.expr.Environment;
import io.polytable.sql.model.relation.Relation.Condition;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.Cancellation;
import io.polytable.sql.query.ListedRows;
import io.polytable.sql.query.QueryRows;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A {@link Plan.KeyRead} with the values that a statement was given: it runs without DuckDB. */
record KeyRows(Plan.KeyRead plan, AccessPath path, Direction direction, long limit, long offset, Environment given) {
    /** Empty if DuckDB does it better: the values select no part of the table, or the order is not that of the path. */
    static Optional<KeyRows> of(Plan.KeyRead plan, Environment given) {
        List<Condition> conditions = plan.rows().conditions(given);
        AccessPath path = plan.table().plan(given.user(), conditions);
        boolean everything = plan.rows().filter().isEmpty();
        if (!path.isNarrow() && !everything) {
            return Optional.empty();
        }
        return direction(plan.orders(), plan.table(), path, conditions)
                .map(direction -> new KeyRows(
                        plan,
                        path,
                        direction,
                        count(plan.limit(), given, Long.MAX_VALUE),
                        count(plan.offset(), given, 0),
                        given));
    }

    private static long count(Optional<Compiled> count, Environment given, long otherwise) {
        return count.isPresent() && count.get().value(given) instanceof Long number ? number : otherwise;
    }

    /** The direction of a key scan that yields the order of ORDER BY; empty if none does. */
    private static Optional<Direction> direction(
            List<OrderColumn> orders, SqlTable table, AccessPath path, List<Condition> conditions) {
        if (orders.isEmpty() || path instanceof AccessPath.Point) {
            return Optional.of(Direction.FORWARD);
        }
        // An index is not in key order.
        if (path instanceof AccessPath.Index) {
            return Optional.empty();
        }
        boolean descending = orders.get(0).descending();
        List<String> key = new ArrayList<>(table.key());
        Set<String> fixed = new HashSet<>();
        conditions.stream()
                .filter(condition ->
                        condition.operator().equals("=") && condition.values().size() == 1)
                .forEach(condition -> fixed.add(condition.column()));
        for (OrderColumn order : orders) {
            while (!key.isEmpty() && fixed.contains(key.get(0)) && !key.get(0).equals(order.name())) {
                key.remove(0);
            }
            boolean along = !key.isEmpty() && key.remove(0).equals(order.name());
            if (!along || order.descending() != descending) {
                return Optional.empty();
            }
        }
        return Optional.of(descending ? Direction.REVERSE : Direction.FORWARD);
    }

    /** How it reads, for EXPLAIN. */
    String text() {
        return plan.table().name() + ": " + path.text() + (direction == Direction.REVERSE ? ", in reverse" : "");
    }

    boolean isPoint() {
        return path instanceof AccessPath.Point;
    }

    QueryRows open(TransactionState.Reading reading, Cancellation cancellation) {
        SqlTable table = plan.table();
        reading.transaction().reads(table);
        if (path instanceof AccessPath.Point one) {
            try (reading) {
                return point(table.get(reading.transaction(), one.row()));
            }
        }
        StoredRows rows;
        try {
            reading.transaction().requireIndexes(table);
            rows = table.rows(reading.transaction(), given.user(), path, direction);
        } catch (RuntimeException failure) {
            reading.close();
            throw failure;
        }
        return new Walk(rows, reading, cancellation);
    }

    private QueryRows point(Optional<StoredRow> found) {
        List<@Nullable Object[]> rows = new ArrayList<>(1);
        found.filter(this::isWanted)
                .map(plan.table()::shown)
                .filter(this::passes)
                .ifPresent(row -> {
                    if (limit > 0 && offset == 0) {
                        rows.add(plan.shown().row(row, given));
                    }
                });
        return new ListedRows(plan.shown().outputs(), rows);
    }

    private boolean isWanted(StoredRow row) {
        return plan.withDeleted() || !row.isDeleted();
    }

    private boolean passes(@Nullable Object[] row) {
        return plan.rows().holds(row, given);
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
            return plan.shown().outputs();
        }

        @Override
        public boolean next() {
            while (left > 0 && rows.next()) {
                cancellation.check();
                StoredRow stored = rows.row();
                if (!isWanted(stored)) {
                    continue;
                }
                @Nullable Object[] shown = plan.table().shown(stored);
                if (!passes(shown)) {
                    continue;
                }
                if (toSkip > 0) {
                    toSkip--;
                    continue;
                }
                left--;
                row = plan.shown().row(shown, given);
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
