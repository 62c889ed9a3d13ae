package io.polytable.hbase;

import io.polytable.hbase.client.ClientLimits;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * How the HBase face is served.
 *
 * @param host the address to listen on
 * @param advertisedHost the name under which clients reach this server; what they learn from ZooKeeper and from meta
 * @param masterPort, regionServerPort, zookeeperPort to listen on, 0 for any free one
 * @param quorum an outside ZooKeeper to be found in, instead of one of our own
 * @param znodeParent the node in ZooKeeper under which clients look
 * @param zookeeperDirectory for the files of our own ZooKeeper
 * @param users who may call, empty for everybody
 * @param threads that run calls
 * @param callBytesMax the largest request
 */
public record HBaseOptions(
        String host,
        String advertisedHost,
        int masterPort,
        int regionServerPort,
        int zookeeperPort,
        Optional<String> quorum,
        String znodeParent,
        Path zookeeperDirectory,
        Set<String> users,
        int threads,
        int connectionsMax,
        int callBytesMax,
        ClientLimits limits) {
    public static final int CALL_BYTES_MAX = 256 << 20;
    public static final int CONNECTIONS_MAX = 10_000;

    public HBaseOptions {
        users = Set.copyOf(users);
    }

    /** On free ports of this machine alone. */
    public static HBaseOptions onLoopback(Path zookeeperDirectory) {
        return new HBaseOptions(
                "127.0.0.1",
                "localhost",
                0,
                0,
                0,
                Optional.empty(),
                "/hbase",
                zookeeperDirectory,
                Set.of(),
                defaultThreads(),
                CONNECTIONS_MAX,
                CALL_BYTES_MAX,
                ClientLimits.DEFAULT);
    }

    public HBaseOptions withUsers(Set<String> newUsers) {
        return new HBaseOptions(
                host,
                advertisedHost,
                masterPort,
                regionServerPort,
                zookeeperPort,
                quorum,
                znodeParent,
                zookeeperDirectory,
                newUsers,
                threads,
                connectionsMax,
                callBytesMax,
                limits);
    }

    public HBaseOptions withLimits(int newConnectionsMax, int newCallBytesMax, ClientLimits newLimits) {
        return new HBaseOptions(
                host,
                advertisedHost,
                masterPort,
                regionServerPort,
                zookeeperPort,
                quorum,
                znodeParent,
                zookeeperDirectory,
                users,
                threads,
                newConnectionsMax,
                newCallBytesMax,
                newLimits);
    }

    /** More than cores, since calls may wait for a disk. */
    public static int defaultThreads() {
        return Math.max(8, 4 * Runtime.getRuntime().availableProcessors());
    }
}
