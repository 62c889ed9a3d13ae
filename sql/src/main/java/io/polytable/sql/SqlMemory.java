package io.polytable.sql;

import io.polytable.frontend.limit.Budget;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.setting.Settings;

/**
 * The heap that this protocol may use; DuckDB's memory is outside it.
 *
 * @param statements rows that statements collect before they write, reads and writes of open transactions, prepared
 *     statements
 * @param results parts of results that are copied to the heap to be sent
 */
public record SqlMemory(Budget statements, Budget results) {
    private static final long MB = 1L << 20;
    private static final String STATEMENTS = "sql.statements";
    private static final String RESULTS = "sql.results";
    private static final String DUCKDB = "sql.memory";
    private static final long DUCKDB_BYTES_MIN = 64 * MB;

    /** The divisor of the machine's memory for DuckDB. */
    private static final int MACHINE_DIVISOR = 8;

    /** No statement needs more: its rows go into one commit. */
    private static final long STATEMENTS_BYTES_MAX = 1024 * MB;

    /** Adds the shares to a memory plan. */
    static void plan(MemoryPlan.Builder plan, Settings settings) {
        long bytes = Math.min(STATEMENTS_BYTES_MAX, plan.heapBytes() / 6);
        plan.borrowing(STATEMENTS, bytes)
                .borrowing(RESULTS, bytes)
                .outside(
                        DUCKDB,
                        settings.get(SqlSettings.MEMORY)
                                .orElseGet(
                                        () -> Math.max(DUCKDB_BYTES_MIN, MemoryPlan.machineBytes() / MACHINE_DIVISOR)));
    }

    /** The shares of a plan. */
    static SqlMemory of(MemoryPlan plan) {
        return new SqlMemory(plan.budget(STATEMENTS), plan.budget(RESULTS));
    }

    /** DuckDB's share of a plan. */
    static long duckBytes(MemoryPlan plan) {
        return plan.budget(DUCKDB).limitBytes();
    }

    /** Fixed sizes, for a program that embeds this protocol without a memory plan. */
    public static SqlMemory standard() {
        return new SqlMemory(Budget.of(STATEMENTS, 128 * MB), Budget.of(RESULTS, 128 * MB));
    }
}
