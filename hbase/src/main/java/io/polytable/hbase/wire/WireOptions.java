package io.polytable.hbase.wire;

import io.polytable.frontend.limit.Budget;
import io.polytable.hbase.access.Identities;
import java.time.Duration;

/**
 * The address, users and limits of the RPC server.
 *
 * @param host the address to listen on
 * @param identities decides which user a connection acts as
 * @param threads the number of worker threads
 * @param callBytesMax the largest request, including its cells, before and after decompression
 * @param requests the memory budget for the requests of all connections
 * @param responses the memory budget for unsent responses
 * @param stallMax how long a partial request or response may stall before its connection is closed
 */
public record WireOptions(
        String host,
        Identities identities,
        int threads,
        int connectionsMax,
        int callBytesMax,
        Budget requests,
        Budget responses,
        Duration stallMax) {
    /** With two budgets of one size. */
    WireOptions(
            String host,
            Identities identities,
            int threads,
            int connectionsMax,
            int callBytesMax,
            long memoryBytesMax,
            Duration stallMax) {
        this(
                host,
                identities,
                threads,
                connectionsMax,
                callBytesMax,
                Budget.of("requests", memoryBytesMax),
                Budget.of("responses", memoryBytesMax),
                stallMax);
    }
}
