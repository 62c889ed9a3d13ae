package io.polytable.sql.query.plan;

import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.Relation.Condition;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.QueryTimes;
import io.polytable.sql.query.render.Rendered;
import io.polytable.sql.query.scan.ScanSlot;
import io.polytable.sql.query.scan.VectorWriter;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.type.Casts;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.table.TableName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A query that DuckDB computes: its text, with a hole for each of our scans.
 *
 * @param inexact the text to run if DuckDB rejects the first one; see {@link QueryBinder}
 * @param links the scans that values of others may narrow
 * @param dependsOnOrder whether the result may depend on the order in which scans return rows
 * @param namesInfinity whether a literal may be an infinite number
 * @param written the query as the client wrote it, for the positions of errors; empty for one of our own
 */
public record DuckQuery(
        Rendered text,
        Optional<Rendered> inexact,
        List<ScanSlot> slots,
        List<JoinNarrowing.SlotLink> links,
        boolean dependsOnOrder,
        boolean namesInfinity,
        Optional<Query> written) {
    public DuckQuery {
        slots = List.copyOf(slots);
        links = List.copyOf(links);
    }

    /** A query of our own that reads a file, which may have any values. */
    public static DuckQuery ofFile(String sql) {
        Rendered text = new Rendered(List.of(new Rendered.Piece.Text(sql)), List.of());
        return new DuckQuery(text, Optional.empty(), List.of(), List.of(), false, true, Optional.empty());
    }

    /**
     * Whether it reads only tables of the catalog, and all rows of them: a virtual table is another object in the next
     * statement, and so are the rows that its policies show.
     */
    public boolean isCacheable() {
        return slots.stream().allMatch(slot -> slot.relation() instanceof SqlTable table && !table.isFiltered());
    }

    /** Whether the same tables have files as when the query was bound: its scans read files or not. */
    public boolean isCurrent() {
        return slots.stream().allMatch(slot -> slot.relation().hasFiles() == slot.files());
    }

    /** Whether infinity may enter other than through our scans: as a literal, a parameter or from a file. */
    public boolean mayGiveInfinity(@Nullable Object[] given) {
        boolean parameter =
                Arrays.stream(given).anyMatch(value -> value != null && VectorWriter.hasInfinity(value.toString()));
        return parameter
                || namesInfinity
                || slots.stream().anyMatch(slot -> slot.relation().hasFiles());
    }

    /** The values of DuckDB's parameters, in their order. */
    public static List<@Nullable Object> bound(Rendered text, @Nullable Object[] given, QueryTimes times) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int number : text.parameters()) {
            if (number > given.length) {
                throw new SqlError(SqlCode.UNDEFINED_PARAMETER, "there is no parameter $" + number);
            }
            values.add(
                    switch (number) {
                        case Expression.Parameter.NOW -> times.now();
                        case Expression.Parameter.STATEMENT_TIME -> times.statement();
                        default -> given[number - 1];
                    });
        }
        return values;
    }

    /** The conditions on each scan's columns, with constants converted to the columns' types. */
    public List<List<Condition>> conditions(@Nullable Object[] given) {
        return slots.stream().map(slot -> conditions(slot, given)).toList();
    }

    private static List<Condition> conditions(ScanSlot slot, @Nullable Object[] given) {
        List<Condition> conditions = new ArrayList<>();
        for (ScanSlot.ColumnCondition condition : slot.conditions()) {
            SqlType type = slot.relation().columns().stream()
                    .filter(column -> column.name().equals(condition.column()))
                    .map(Relation.RelationColumn::type)
                    .findFirst()
                    .orElse(SqlType.UNKNOWN);
            List<Object> values = new ArrayList<>();
            for (Expression constant : condition.constants()) {
                Object value = exact(type, constant, given);
                if (value != null) {
                    values.add(value);
                }
            }
            if (values.size() == condition.constants().size()) {
                conditions.add(
                        new Condition(condition.column(), condition.sign().text(), values));
            }
        }
        return conditions;
    }

    private static @Nullable Object exact(SqlType type, Expression constant, @Nullable Object[] given) {
        Object value = null;
        boolean text = false;
        if (constant instanceof Expression.Parameter parameter) {
            int number = parameter.number();
            value = number > 0 && number <= given.length ? given[number - 1] : null;
            text = value instanceof String;
        } else if (constant instanceof Expression.Constant literal) {
            value = literal.text();
            text = literal.kind() == Expression.Constant.Kind.STRING;
        }
        boolean whole = value instanceof String || value instanceof Long || value instanceof Integer;
        // Only integers and text are sure to compare here as in DuckDB, which compares floats by value and reads text
        // beside a number as a number.
        if (!whole || type.isFloating() || type.is(SqlType.Kind.DECIMAL) || (type.is(SqlType.Kind.TEXT) && !text)) {
            return null;
        }
        try {
            return Casts.to(type.unbounded(), value);
        } catch (SqlError noValue) {
            return null;
        }
    }

    /** The tables that it reads, including those of views. */
    public Set<TableName> tables() {
        return slots.stream().map(slot -> slot.relation().name()).collect(Collectors.toUnmodifiableSet());
    }

    /** The SQL tables among those that it reads. */
    public List<SqlTable> ownTables() {
        return slots.stream()
                .map(ScanSlot::relation)
                .filter(SqlTable.class::isInstance)
                .map(SqlTable.class::cast)
                .toList();
    }
}
