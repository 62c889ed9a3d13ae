package io.polytable.sql.query.plan;

import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.Relation.Condition;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.relation.Relation.Request;
import io.polytable.sql.query.Running;
import io.polytable.sql.query.scan.ScanSlot;
import io.polytable.sql.query.scan.StoppableReader;
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
 * Lets joins use keys and indexes. Where the WHERE leaves few rows of one table, their values of the joined column are read
 * first, and become a condition on the other table, which then is read by its key or an index instead of whole. DuckDB still
 * computes the join. That reading happens before DuckDB has anything to cancel, so it looks after the statement's end itself.
 */
public final class JoinNarrowing {
    /** More values than this and a scan of the other table is cheaper than its lookups. */
    static final int VALUES_MAX = 1000;

    /**
     * A join of two scans of a plan, by their numbers.
     *
     * @see JoinLinks.Link
     */
    record SlotLink(int from, String fromColumn, int to, String toColumn) {}

    private final Plan plan;
    private final Reader reader;
    private final String user;
    private final Running running;
    private final List<List<Condition>> conditions;
    private final Set<SlotLink> used = new LinkedHashSet<>();

    private JoinNarrowing(Plan plan, Reader reader, String user, Running running, List<List<Condition>> conditions) {
        this.plan = plan;
        this.reader = new StoppableReader(reader, running);
        this.user = user;
        this.running = running;
        this.conditions = new ArrayList<>(conditions);
    }

    /** What is known of each scan's columns, with what the joins add to it. */
    public static List<List<Condition>> apply(
            Plan plan, Reader reader, String user, Running running, List<List<Condition>> conditions) {
        return plan.links().isEmpty() ? conditions : narrowed(plan, reader, user, running, conditions).conditions;
    }

    private static JoinNarrowing narrowed(
            Plan plan, Reader reader, String user, Running running, List<List<Condition>> conditions) {
        JoinNarrowing narrowing = new JoinNarrowing(plan, reader, user, running, conditions);
        boolean again = true;
        // A table that was narrowed may narrow the next one; each link is used once, so this ends.
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

    /** Types whose values are equal exactly when their keys are. */
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

    /** The values of the column that lead on, unless they are too many. */
    private Optional<List<Object>> values(SlotLink link, Relation from, SqlType type) {
        int index = index(from, link.fromColumn());
        ScanSlot slot = plan.slots().get(link.from());
        Request request = new Request(user, List.of(index), conditions.get(link.from()), slot.withDeleted());
        Set<Object> values = new LinkedHashSet<>();
        int rows = 0;
        try (Relation.Rows walk = from.open(reader, request)) {
            while (walk.next()) {
                running.check();
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

    /** Nothing where no value of the type is equal to it. */
    private static @Nullable Object cast(SqlType type, @Nullable Object value) {
        try {
            return Casts.to(type, value);
        } catch (SqlError beyond) {
            return null;
        }
    }

    /**
     * How each scan reads, for EXPLAIN.
     *
     * @param more what is added of a scan with the conditions that it has in the end
     */
    public static List<String> accesses(
            Plan plan,
            Reader reader,
            String user,
            Running running,
            List<List<Condition>> conditions,
            BiFunction<ScanSlot, List<Condition>, String> more) {
        JoinNarrowing narrowing = narrowed(plan, reader, user, running, conditions);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < plan.slots().size(); i++) {
            Relation relation = plan.slots().get(i).relation();
            String line = relation.name() + ": " + relation.access(narrowing.conditions.get(i));
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
