package io.polytable.hbase.wire;

import io.polytable.hbase.rpc.CallListener;
import io.polytable.hbase.rpc.Services;
import java.util.concurrent.Executor;

/**
 * The state shared by all connections.
 *
 * @param memory the budget for requests
 * @param answers the budget for unsent responses
 */
record WireContext(
        WireOptions options,
        Services services,
        Executor workers,
        CallListener tally,
        MemoryBudget memory,
        MemoryBudget answers) {}
