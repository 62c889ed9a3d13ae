package io.polytable.hbase.wire;

import java.time.Duration;
import java.util.Set;

/**
 * The address, users and limits of the RPC server.
 *
 * @param host the address to listen on
 * @param users the allowed users; empty for everybody
 * @param threads the number of worker threads
 * @param callBytesMax the largest request, including its cells, before and after decompression
 * @param memoryBytesMax the memory budget for the requests of all connections, and another one of this size for unsent
 *     responses
 * @param stallMax how long a partial request or response may stall before its connection is closed
 */
public record WireOptions(
        String host,
        Set<String> users,
        int threads,
        int connectionsMax,
        int callBytesMax,
        long memoryBytesMax,
        Duration stallMax) {
    public WireOptions {
        users = Set.copyOf(users);
    }
}
