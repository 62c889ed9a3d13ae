package io.polytable.hbase;

import io.polytable.hbase.access.Identities;
import io.polytable.hbase.client.ClientLimits;
import java.util.Optional;
import java.util.Set;

/** Options of a frontend that listens on free ports of the loopback interface, and what a test changes in them. */
public final class LoopbackOptions {
    private String advertisedHost = "localhost";
    private int masterPort;
    private int regionServerPort;
    private int zookeeperPort;
    private Optional<String> quorum = Optional.empty();
    private Identities.Source identity = Identities.Source.NONE;
    private Set<String> users = Set.of();
    private int connectionsMax = HBaseOptions.CONNECTIONS_MAX;
    private int callBytesMax = HBaseOptions.CALL_BYTES_MAX;
    private long regionBytesMax = HBaseOptions.REGION_BYTES_MAX;
    private ClientLimits limits = ClientLimits.DEFAULT;

    public HBaseOptions options() {
        return new HBaseOptions(
                "127.0.0.1",
                advertisedHost,
                masterPort,
                regionServerPort,
                zookeeperPort,
                quorum,
                "/hbase",
                identity,
                false,
                users,
                HBaseOptions.defaultThreads(),
                connectionsMax,
                callBytesMax,
                regionBytesMax,
                limits);
    }

    LoopbackOptions withIdentity(Identities.Source source) {
        identity = source;
        return this;
    }

    LoopbackOptions withUsers(Set<String> allowed) {
        users = allowed;
        return this;
    }

    LoopbackOptions withLimits(int connections, int callBytes, ClientLimits clients) {
        connectionsMax = connections;
        callBytesMax = callBytes;
        limits = clients;
        return this;
    }

    LoopbackOptions withPorts(int master, int regionServer, int zookeeper) {
        masterPort = master;
        regionServerPort = regionServer;
        zookeeperPort = zookeeper;
        return this;
    }

    /** Publishes this host name in an external ZooKeeper. */
    LoopbackOptions withQuorum(String outside, String host) {
        quorum = Optional.of(outside);
        advertisedHost = host;
        return this;
    }

    LoopbackOptions withRegionBytesMax(long bytes) {
        regionBytesMax = bytes;
        return this;
    }
}
