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
 * @param regionBytesMax regions that grow beyond it are split in two; a table's own MAX_FILESIZE goes before it
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

    /** To be found in an outside ZooKeeper, under this host name. */
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
