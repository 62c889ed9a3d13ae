package io.polytable.redis.command.replication;

import java.util.Optional;

/**
 * What a replica said with REPLCONF before it asked for the stream.
 *
 * @param port that it listens on itself
 * @param host that it wants to be known by
 * @param readsToMark whether it reads a file up to a mark, so that the length need not be known first
 */
public record ReplicaOptions(int port, Optional<String> host, boolean readsToMark) {
    public static final ReplicaOptions NONE = new ReplicaOptions(0, Optional.empty(), false);

    public ReplicaOptions withPort(int number) {
        return new ReplicaOptions(number, host, readsToMark);
    }

    public ReplicaOptions withHost(String name) {
        return new ReplicaOptions(port, Optional.of(name), readsToMark);
    }

    public ReplicaOptions withMark() {
        return new ReplicaOptions(port, host, true);
    }
}
