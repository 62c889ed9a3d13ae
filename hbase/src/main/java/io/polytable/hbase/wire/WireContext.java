package io.polytable.hbase.wire;

import io.polytable.hbase.rpc.CallListener;
import io.polytable.hbase.rpc.Services;
import java.util.concurrent.Executor;

/**
 * What all connections share.
 *
 * @param memory of requests
 * @param answers the memory of answers
 */
record WireContext(
        WireOptions options,
        Services services,
        Executor workers,
        CallListener tally,
        CallMemory memory,
        CallMemory answers) {}
