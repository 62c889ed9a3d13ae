package io.polytable.server.config;

import static io.polytable.server.config.ByteSize.GB;
import static io.polytable.server.config.ByteSize.MB;
import static io.polytable.server.config.ByteSize.TB;
import static io.polytable.server.config.Key.key;
import static io.polytable.server.config.ValueTypes.bool;
import static io.polytable.server.config.ValueTypes.bytes;
import static io.polytable.server.config.ValueTypes.duration;
import static io.polytable.server.config.ValueTypes.endpoints;
import static io.polytable.server.config.ValueTypes.integer;
import static io.polytable.server.config.ValueTypes.port;
import static io.polytable.server.config.ValueTypes.text;

import java.time.Duration;
import java.util.List;

/** The HBase frontend, and the ZooKeeper for its clients. */
public final class HBaseKeys {
    private static final Declarations KEYS = new Declarations();

    public static final Key<Boolean> ENABLED =
            KEYS.add(key("hbase.enabled", bool(), "true", "Whether HBase clients are served.")
                    .alias("hbase.enable"));
    public static final Key<Integer> PORT =
            KEYS.add(key("hbase.port", port(), "16020", "Port of the HBase region server; 0 picks a free one."));
    public static final Key<Integer> MASTER_PORT =
            KEYS.add(key("hbase.master.port", port(), "16000", "Port of the HBase master; 0 picks a free one."));
    public static final Key<String> ADVERTISED_HOST = KEYS.add(key(
            "hbase.advertised.host",
            text(),
            "",
            "Name under which HBase clients reach this server; by default localhost, or the bound address."));
    public static final Key<String> AUTH_USERS = KEYS.add(key(
            "hbase.auth.users",
            text(),
            "",
            "Users who may call, with commas between; empty allows everyone. Clients state their own names."));
    public static final Key<Integer> THREADS = KEYS.add(
            key("hbase.threads", integer(0, 1024), "0", "Threads that run HBase calls; 0 chooses by processors."));
    public static final Key<Integer> CONNECTIONS_MAX =
            KEYS.add(key("hbase.max.connections", integer(1, 1_000_000), "10000", "HBase connections open at once."));
    public static final Key<Long> CALL_BYTES_MAX =
            KEYS.add(key("hbase.max.call.bytes", bytes(MB, GB), "256mb", "Largest HBase request, its cells included."));
    public static final Key<Long> REGION_BYTES_MAX = KEYS.add(key(
            "hbase.region.bytes",
            bytes(MB, TB),
            "10gb",
            "HBase regions that grow larger are split in two; a table's MAX_FILESIZE goes before it."));
    public static final Key<Long> RESULT_BYTES_MAX = KEYS.add(
            key("hbase.max.result.bytes", bytes(MB, GB), "64mb", "About the most that one HBase answer takes."));
    public static final Key<Integer> SCANNERS_MAX = KEYS.add(
            key("hbase.max.scanners", integer(1, 200), "128", "HBase scanners open at once; each holds a snapshot."));
    public static final Key<Duration> SCANNER_LEASE = KEYS.add(
            key("hbase.scanner.lease", duration(), "60s", "Time after which an unused HBase scanner is closed."));
    public static final Key<Integer> ZOOKEEPER_PORT = KEYS.add(key(
            "zookeeper.port",
            port(),
            "2181",
            "Port of the embedded ZooKeeper that HBase clients ask; 0 picks a free one."));
    public static final Key<List<String>> ZOOKEEPER_QUORUM =
            KEYS.add(key("zookeeper.quorum", endpoints(), "", "An outside ZooKeeper instead of the embedded one."));
    public static final Key<String> ZNODE_PARENT = KEYS.add(
            key("zookeeper.znode.parent", text(), "/hbase", "The node in ZooKeeper under which HBase clients look."));

    private HBaseKeys() {}

    static List<Key<?>> all() {
        return KEYS.all();
    }
}
