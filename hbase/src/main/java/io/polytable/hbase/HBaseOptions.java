package io.polytable.hbase;

import io.polytable.hbase.access.Identities;
import io.polytable.hbase.client.ClientLimits;
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
 * @param identity what a client's user is taken from
 * @param trustsNetwork whether names that nobody can check are believed wherever the client comes from
 * @param users the names that may call if everyone is trusted, empty for all
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
        Identities.Source identity,
        boolean trustsNetwork,
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

    /** More than cores, since calls may wait for a disk. */
    public static int defaultThreads() {
        return Math.max(8, 4 * Runtime.getRuntime().availableProcessors());
    }
}
