package io.polytable.hbase.wire;

import java.util.Set;

/**
 * Where and whom the wire serves, and its bounds.
 *
 * @param host the address to listen on
 * @param users who may call; empty for everybody
 * @param threads that run calls
 * @param callBytesMax the largest request, cells included, also after decompression
 */
public record WireOptions(String host, Set<String> users, int threads, int connectionsMax, int callBytesMax) {
    public WireOptions {
        users = Set.copyOf(users);
    }
}
