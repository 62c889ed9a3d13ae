package io.polytable.sql;

import io.polytable.frontend.limit.Budget;

/**
 * The heap that this protocol may use; DuckDB's memory is outside it.
 *
 * @param statements rows that statements collect before they write, reads and writes of open transactions, prepared
 *     statements
 * @param results parts of results that are copied to the heap to be sent
 */
public record SqlMemory(Budget statements, Budget results) {
    private static final long MB = 1L << 20;

    /** Fixed sizes, for a program that embeds this protocol without a memory plan. */
    public static SqlMemory standard() {
        return new SqlMemory(Budget.of("sql.statements", 128 * MB), Budget.of("sql.results", 128 * MB));
    }
}
