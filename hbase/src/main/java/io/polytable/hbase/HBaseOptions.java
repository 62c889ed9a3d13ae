package io.polytable.hbase;

import io.polytable.hbase.client.ClientLimits;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * The options of the HBase frontend.
 *
 * @param host the address to listen on
 * @param advertisedHost the host name that ZooKeeper and meta give to clients
 * @param masterPort, regionServerPort, zookeeperPort the ports to listen on, 0 for any free one
 * @param quorum an external ZooKeeper to publish in, instead of the embedded one
 * @param znodeParent the node in ZooKeeper under which clients look
 * @param zookeeperDirectory the directory of the embedded ZooKeeper
 * @param users the allowed users, empty for everybody
 * @param threads the number of worker threads
 * @param callBytesMax the largest request
 * @param regionBytesMax regions that grow beyond it are split in two; a table's MAX_FILESIZE takes precedence
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
        long regionBytesMax,
        ClientLimits limits) {
    public static final int CALL_BYTES_MAX = 256 << 20;
    public static final int CONNECTIONS_MAX = 10_000;

    /** As HBase. */
    public static final long REGION_BYTES_MAX = 10L << 30;

    public HBaseOptions {
        users = Set.copyOf(users);
    }

    /** Listens on free ports of the loopback interface. */
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
                REGION_BYTES_MAX,
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
                regionBytesMax,
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
                regionBytesMax,
                newLimits);
    }

    public HBaseOptions withPorts(int newMasterPort, int newRegionServerPort, int newZookeeperPort) {
        return new HBaseOptions(
                host,
                advertisedHost,
                newMasterPort,
                newRegionServerPort,
                newZookeeperPort,
                quorum,
                znodeParent,
                zookeeperDirectory,
                users,
                threads,
                connectionsMax,
                callBytesMax,
                regionBytesMax,
                limits);
    }

    /** Publishes this host name in an external ZooKeeper. */
    public HBaseOptions withQuorum(String newQuorum, String newAdvertisedHost) {
        return new HBaseOptions(
                host,
                newAdvertisedHost,
                masterPort,
                regionServerPort,
                zookeeperPort,
                Optional.of(newQuorum),
                znodeParent,
                zookeeperDirectory,
                users,
                threads,
                connectionsMax,
                callBytesMax,
                regionBytesMax,
                limits);
    }

    public HBaseOptions withRegionBytesMax(long newRegionBytesMax) {
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
                connectionsMax,
                callBytesMax,
                newRegionBytesMax,
                limits);
    }

    /** More than cores, since calls may wait for a disk. */
    public static int defaultThreads() {
        return Math.max(8, 4 * Runtime.getRuntime().availableProcessors());
    }
}
