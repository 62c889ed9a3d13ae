package io.polytable.sql.query.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.Relation.Condition;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.QueryTimes;
import io.polytable.sql.query.dialect.Dialect;
import io.polytable.sql.query.scan.FileQuery;
import io.polytable.sql.query.scan.ScanSlot;
import io.polytable.sql.query.scan.VectorWriter;
import io.polytable.sql.type.Casts;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.table.TableName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An analysed query: the text for DuckDB, with markers in place of our scans. */
public final class Plan {
    /** Aggregates and window functions whose result depends on the order of rows. */
    private static final Pattern ORDERED = Pattern.compile(
            "(?i)\\b(((string|array|json|jsonb|json_object|jsonb_object)_agg|json_group_(array|object)|group_concat|listagg"
                    + "|list|first|last|any_value|arbitrary|mode)|over ?)\\(");

    /** The number of the parameter that stands for the time of the transaction. */
    public static final int NOW = 0;

    /** The number of the parameter that stands for the time of the statement. */
    public static final int STATEMENT_TIME = -1;

    private final String sql;
    private final List<ScanSlot> slots;

    /** The numbers, from 1, of the statement's parameters that DuckDB's parameters stand for; or {@link #NOW}. */
    private final List<Integer> parameters;

    private final String original;
    private final List<JoinNarrowing.SlotLink> links;
    private final boolean dependsOnOrder;
    private final String inexactSql;

    public Plan(String sql, List<ScanSlot> slots, List<Integer> parameters, String original) {
        this(sql, slots, List.of(), parameters, original);
    }

    public Plan(
            String sql,
            List<ScanSlot> slots,
            List<JoinNarrowing.SlotLink> links,
            List<Integer> parameters,
            String original) {
        this(sql, slots, links, parameters, original, "");
    }

    private Plan(
            String sql,
            List<ScanSlot> slots,
            List<JoinNarrowing.SlotLink> links,
            List<Integer> parameters,
            String original,
            String inexactSql) {
        this.inexactSql = inexactSql;
        this.sql = sql;
        this.slots = List.copyOf(slots);
        this.links = List.copyOf(links);
        dependsOnOrder = ORDERED.matcher(sql).find();
        this.parameters = List.copyOf(parameters);
        this.original = original;
    }

    /** This plan with another text, of the same scans and parameters, for when DuckDB rejects the first one. */
    Plan withInexact(String text) {
        return new Plan(sql, slots, links, parameters, original, text);
    }

    /** The text to run if DuckDB rejects {@link #sql()}; empty if there is none. */
    public String inexactSql() {
        return inexactSql;
    }

    /** Whether the result may depend on the order in which scans return rows. */
    public boolean dependsOnOrder() {
        return dependsOnOrder;
    }

    /** Whether it reads only tables of the catalog; a virtual table is another object in the next statement. */
    public boolean isCacheable() {
        return slots.stream().allMatch(slot -> slot.relation() instanceof SqlTable);
    }

    /** Whether the same tables have files as when the query was analysed: its text names where files are read. */
    public boolean isCurrent() {
        return slots.stream().allMatch(slot -> slot.relation().hasFiles() == FileQuery.isIn(sql, slot));
    }

    public String sql() {
        return sql;
    }

    /** Whether infinity may enter other than through our scans: as a constant, a parameter or from a file. */
    public boolean mayGiveInfinity(@Nullable Object[] given) {
        boolean parameter =
                Arrays.stream(given).anyMatch(value -> value != null && VectorWriter.hasInfinity(value.toString()));
        return parameter
                || (slots.isEmpty() && sql.contains("read_parquet"))
                || slots.stream().anyMatch(slot -> slot.relation().hasFiles())
                || VectorWriter.hasInfinity(sql);
    }

    public List<ScanSlot> slots() {
        return slots;
    }

    /** The scans that values of others may narrow. */
    List<JoinNarrowing.SlotLink> links() {
        return links;
    }

    /** The values of DuckDB's parameters, in their order. */
    public List<@Nullable Object> bound(@Nullable Object[] given, QueryTimes times) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int number : parameters) {
            if (number > given.length) {
                throw new SqlError(SqlCode.UNDEFINED_PARAMETER, "there is no parameter $" + number);
            }
            values.add(
                    switch (number) {
                        case NOW -> times.now();
                        case STATEMENT_TIME -> times.statement();
                        default -> given[number - 1];
                    });
        }
        return values;
    }

    /** The conditions on each scan's columns, with constants converted to the columns' types. */
    public List<List<Condition>> conditions(@Nullable Object[] given) {
        return slots.stream().map(slot -> conditions(slot, given)).toList();
    }

    private List<Condition> conditions(ScanSlot slot, @Nullable Object[] given) {
        List<Condition> conditions = new ArrayList<>();
        for (ScanSlot.ColumnCondition condition : slot.conditions()) {
            SqlType type = slot.relation().columns().stream()
                    .filter(column -> column.name().equals(condition.column()))
                    .map(Relation.RelationColumn::type)
                    .findFirst()
                    .orElse(SqlType.UNKNOWN);
            List<Object> values = new ArrayList<>();
            for (JsonNode constant : condition.constants()) {
                Object value = exact(type, constant, given);
                if (value != null) {
                    values.add(value);
                }
            }
            if (values.size() == condition.constants().size()) {
                conditions.add(new Condition(condition.column(), condition.operator(), values));
            }
        }
        return conditions;
    }

    private @Nullable Object exact(SqlType type, JsonNode constant, @Nullable Object[] given) {
        Object value;
        if (constant.path("class").asText().equals("PARAMETER")) {
            // The tree has DuckDB's parameter numbers; the plan maps them to the statement's.
            int number = parameters.get(constant.path("identifier").asInt(1) - 1);
            value = number > 0 && number <= given.length ? given[number - 1] : null;
        } else {
            value = constant.path("literal").path("text").asText();
        }
        boolean text = value instanceof String && !Dialect.isConstant(constant, "INTEGER");
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

    /** The text before rewriting, for the positions of errors. */
    public String original() {
        return original;
    }
}
