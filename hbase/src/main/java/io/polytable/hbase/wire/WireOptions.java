package io.polytable.hbase.wire;

import java.util.List;
import java.util.Set;

/**
 * Where and whom the wire serves, and its bounds.
 *
 * @param host the address to listen on
 * @param ports one server on each; 0 for any free one
 * @param users who may call; empty for everybody
 * @param threads that run calls
 * @param callBytesMax the largest request, cells included, also after decompression
 */
public record WireOptions(
        String host, List<Integer> ports, Set<String> users, int threads, int connectionsMax, int callBytesMax) {
    public WireOptions {
        ports = List.copyOf(ports);
        users = Set.copyOf(users);
    }
}
