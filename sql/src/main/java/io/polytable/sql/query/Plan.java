package io.polytable.sql.query;

import io.polytable.sql.model.SqlTable;
import io.polytable.table.TableName;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A query that was analysed: DuckDB's text of it, with markers where our scans go. */
public final class Plan {
    /** What answers something else when rows come in another order. */
    private static final Pattern ORDERED = Pattern.compile(
            "(?i)\\b(((string|array|json|jsonb|json_object|jsonb_object)_agg|json_group_(array|object)|group_concat|listagg"
                    + "|list|first|last|any_value|arbitrary|mode)|over ?)\\(");

    private final String sql;
    private final List<ScanSlot> slots;
    private final List<Integer> parameters;
    private final String original;
    private final List<JoinNarrowing.SlotLink> links;
    private final boolean dependsOnOrder;

    Plan(String sql, List<ScanSlot> slots, List<Integer> parameters, String original) {
        this(sql, slots, List.of(), parameters, original);
    }

    Plan(
            String sql,
            List<ScanSlot> slots,
            List<JoinNarrowing.SlotLink> links,
            List<Integer> parameters,
            String original) {
        this.sql = sql;
        this.slots = List.copyOf(slots);
        this.links = List.copyOf(links);
        dependsOnOrder = ORDERED.matcher(sql).find();
        this.parameters = List.copyOf(parameters);
        this.original = original;
    }

    /** Whether it may collect values in the order in which rows come. */
    boolean dependsOnOrder() {
        return dependsOnOrder;
    }

    /** Whether all that it reads are tables of the catalog, which mean the same in the next statement. */
    public boolean canBeKept() {
        return slots.stream().allMatch(slot -> slot.relation() instanceof SqlTable);
    }

    /** Whether the same tables as then have rows in files: its text says where they are read. */
    public boolean isAsItWas() {
        return slots.stream().allMatch(slot -> slot.relation().hasFiles() == FileQuery.isIn(sql, slot));
    }

    String sql() {
        return sql;
    }

    /** Whether an infinite number may go in otherwise than through our scans: as a constant, a parameter or from a file. */
    boolean mayGiveInfinity(@Nullable Object[] given) {
        boolean parameter =
                Arrays.stream(given).anyMatch(value -> value != null && VectorWriter.hasInfinity(value.toString()));
        return parameter
                || (slots.isEmpty() && sql.contains("read_parquet"))
                || slots.stream().anyMatch(slot -> slot.relation().hasFiles())
                || VectorWriter.hasInfinity(sql);
    }

    List<ScanSlot> slots() {
        return slots;
    }

    /** Which scans may be narrowed by values of others. */
    List<JoinNarrowing.SlotLink> links() {
        return links;
    }

    /** Which of the statement's parameters it takes, in the order in which DuckDB wants them; the first is 1. */
    List<Integer> parameters() {
        return parameters;
    }

    /** The tables that it reads, those behind views too. */
    public Set<TableName> tables() {
        return slots.stream().map(slot -> slot.relation().name()).collect(Collectors.toUnmodifiableSet());
    }

    /** As it was written, for the places of errors. */
    String original() {
        return original;
    }
}
