package io.polytable.sql.query.plan;

import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.Relation.Condition;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.relation.Relation.Request;
import io.polytable.sql.query.Cancellation;
import io.polytable.sql.query.scan.CancellableReader;
import io.polytable.sql.query.scan.ScanSlot;
import io.polytable.sql.type.Casts;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.table.Reader;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Lets joins use keys and indexes. If the WHERE leaves few rows of one table, we read their values of the joined column
 * first and make them a condition on the other table, which is then read by its key or an index instead of whole.
 * DuckDB still computes the join. These reads happen before DuckDB runs the query, so they check for cancellation
 * themselves.
 */
public final class JoinNarrowing {
    /** With more rows than this we assume that a scan of the other table is cheaper than lookups. */
    static final int VALUES_MAX = 1000;

    /**
     * A link between two scans of a query, by their indexes.
     *
     * @see JoinLinks.Link
     */
    record SlotLink(int from, String fromColumn, int to, String toColumn) {}

    private final DuckQuery plan;
    private final Reader reader;
    private final String user;
    private final Cancellation cancellation;
    private final List<List<Condition>> conditions;
    private final Set<SlotLink> used = new LinkedHashSet<>();

    private JoinNarrowing(
            DuckQuery plan, Reader reader, String user, Cancellation cancellation, List<List<Condition>> conditions) {
        this.plan = plan;
        this.reader = new CancellableReader(reader, cancellation);
        this.user = user;
        this.cancellation = cancellation;
        this.conditions = new ArrayList<>(conditions);
    }

    /** The conditions of each scan, with those that the joins add. */
    public static List<List<Condition>> apply(
            DuckQuery plan, Reader reader, String user, Cancellation cancellation, List<List<Condition>> conditions) {
        return plan.links().isEmpty() ? conditions : narrowed(plan, reader, user, cancellation, conditions).conditions;
    }

    private static JoinNarrowing narrowed(
            DuckQuery plan, Reader reader, String user, Cancellation cancellation, List<List<Condition>> conditions) {
        JoinNarrowing narrowing = new JoinNarrowing(plan, reader, user, cancellation, conditions);
        boolean again = true;
        // A narrowed table may narrow the next one. Each link is used once, so this terminates.
        while (again) {
            again = false;
            for (SlotLink link : plan.links()) {
                again |= !narrowing.used.contains(link) && narrowing.follow(link);
            }
        }
        return narrowing;
    }

    private boolean follow(SlotLink link) {
        Relation from = plan.slots().get(link.from()).relation();
        Relation to = plan.slots().get(link.to()).relation();
        List<Condition> known = conditions.get(link.to());
        if (!from.isNarrowedBy(conditions.get(link.from())) || to.isNarrowedBy(known)) {
            return false;
        }
        SqlType type = column(to, link.toColumn()).type();
        SqlType fromType = column(from, link.fromColumn()).type();
        boolean alike = type.isInteger() ? fromType.isInteger() : type.kind() == fromType.kind() && isExact(type);
        if (!alike) {
            return false;
        }
        Optional<List<Object>> values = values(link, from, type);
        if (values.isEmpty() || values.get().isEmpty()) {
            return false;
        }
        List<Condition> more = new ArrayList<>(known);
        more.add(new Condition(link.toColumn(), "=", values.get()));
        if (!to.isNarrowedBy(more)) {
            return false;
        }
        conditions.set(link.to(), more);
        used.add(link);
        return true;
    }

    /** Whether values of the type are equal exactly when their encoded keys are. */
    private static boolean isExact(SqlType type) {
        return switch (type.kind()) {
            case BOOLEAN, TEXT, BYTES, DATE, TIME, TIMESTAMP, UUID -> true;
            case SMALLINT, INT, BIGINT, FLOAT, DOUBLE, DECIMAL, JSON, UNKNOWN -> false;
        };
    }

    private static RelationColumn column(Relation relation, String name) {
        return relation.columns().get(index(relation, name));
    }

    private static int index(Relation relation, String name) {
        for (int i = 0; i < relation.columns().size(); i++) {
            if (relation.columns().get(i).name().equals(name)) {
                return i;
            }
        }
        throw new IllegalStateException("No column " + name);
    }

    /** The column's distinct values in {@code from}; empty if it has too many rows. */
    private Optional<List<Object>> values(SlotLink link, Relation from, SqlType type) {
        int index = index(from, link.fromColumn());
        ScanSlot slot = plan.slots().get(link.from());
        Request request =
                new Request(user, List.of(index), from.plan(user, conditions.get(link.from())), slot.withDeleted());
        Set<Object> values = new LinkedHashSet<>();
        int rows = 0;
        try (Relation.Rows walk = from.open(reader, request)) {
            while (walk.next()) {
                cancellation.check();
                if (++rows > VALUES_MAX) {
                    return Optional.empty();
                }
                Object value = cast(type, walk.row()[index]);
                if (value != null) {
                    values.add(value);
                }
            }
        }
        return Optional.of(List.copyOf(values));
    }

    /** The value in the type; null if no value of the type is equal to it. */
    private static @Nullable Object cast(SqlType type, @Nullable Object value) {
        try {
            return Casts.to(type, value);
        } catch (SqlError beyond) {
            return null;
        }
    }

    /**
     * Describes how each scan reads, for EXPLAIN.
     *
     * @param more adds to a scan's description, given its final conditions
     */
    public static List<String> accesses(
            DuckQuery plan,
            Reader reader,
            String user,
            Cancellation cancellation,
            List<List<Condition>> conditions,
            BiFunction<ScanSlot, List<Condition>, String> more) {
        JoinNarrowing narrowing = narrowed(plan, reader, user, cancellation, conditions);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < plan.slots().size(); i++) {
            Relation relation = plan.slots().get(i).relation();
            String line = relation.name() + ": "
                    + relation.plan(user, narrowing.conditions.get(i)).text();
            for (SlotLink link : narrowing.used) {
                if (link.to() == i) {
                    line += ", by " + link.toColumn() + " of the join with "
                            + plan.slots().get(link.from()).relation().name();
                }
            }
            lines.add(line + more.apply(plan.slots().get(i), narrowing.conditions.get(i)));
        }
        return lines;
    }
}
