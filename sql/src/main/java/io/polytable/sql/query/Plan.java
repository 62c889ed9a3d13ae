package io.polytable.sql.query;

import java.util.List;

/** A query that was analysed: DuckDB's text of it, with markers where our scans go. */
public final class Plan {
    private final String sql;
    private final List<ScanSlot> slots;
    private final List<Integer> parameters;
    private final String original;

    Plan(String sql, List<ScanSlot> slots, List<Integer> parameters, String original) {
        this.sql = sql;
        this.slots = List.copyOf(slots);
        this.parameters = List.copyOf(parameters);
        this.original = original;
    }

    String sql() {
        return sql;
    }

    List<ScanSlot> slots() {
        return slots;
    }

    /** Which of the statement's parameters it takes, in the order in which DuckDB wants them; the first is 1. */
    List<Integer> parameters() {
        return parameters;
    }

    /** As it was written, for the places of errors. */
    String original() {
        return original;
    }
}
