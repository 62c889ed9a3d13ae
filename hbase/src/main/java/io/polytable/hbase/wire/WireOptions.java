package io.polytable.hbase.wire;

import java.time.Duration;
import java.util.Set;

/**
 * Where and whom the wire serves, and its bounds.
 *
 * @param host the address to listen on
 * @param users who may call; empty for everybody
 * @param threads that run calls
 * @param callBytesMax the largest request, cells included, also after decompression
 * @param memoryBytesMax what requests under way may take, of all connections together; and, apart from them, answers that
 *     are not sent yet
 * @param stallMax how long a request or an answer that is partly there may stand still before its connection is closed
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
