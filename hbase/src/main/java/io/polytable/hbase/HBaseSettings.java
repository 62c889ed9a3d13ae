package io.polytable.hbase;

import static io.polytable.frontend.setting.ByteSize.GB;
import static io.polytable.frontend.setting.ByteSize.MB;
import static io.polytable.frontend.setting.ByteSize.TB;
import static io.polytable.frontend.setting.Setting.setting;
import static io.polytable.frontend.setting.ValueTypes.bool;
import static io.polytable.frontend.setting.ValueTypes.bytes;
import static io.polytable.frontend.setting.ValueTypes.duration;
import static io.polytable.frontend.setting.ValueTypes.endpoints;
import static io.polytable.frontend.setting.ValueTypes.integer;
import static io.polytable.frontend.setting.ValueTypes.oneOf;
import static io.polytable.frontend.setting.ValueTypes.port;
import static io.polytable.frontend.setting.ValueTypes.text;

import io.polytable.frontend.setting.Declarations;
import io.polytable.frontend.setting.Setting;
import io.polytable.hbase.access.Identities;
import java.time.Duration;
import java.util.List;

/** The HBase frontend, and the ZooKeeper for its clients. */
public final class HBaseSettings {
    private static final Declarations SETTINGS = new Declarations();

    public static final Setting<Boolean> ENABLED =
            SETTINGS.add(setting("hbase.enabled", bool(), "true", "Whether HBase clients are served.")
                    .alias("hbase.enable"));
    public static final Setting<Integer> PORT = SETTINGS.add(
            setting("hbase.port", port(), "16020", "Port of the HBase region server; 0 picks a free one."));
    public static final Setting<Integer> MASTER_PORT = SETTINGS.add(
            setting("hbase.master.port", port(), "16000", "Port of the HBase master; 0 picks a free one."));
    public static final Setting<String> ADVERTISED_HOST = SETTINGS.add(setting(
            "hbase.advertised.host",
            text(),
            "",
            "Name under which HBase clients reach this server; by default localhost, or the bound address."));
    public static final Setting<Identities.Source> AUTH = SETTINGS.add(setting(
            "hbase.auth",
            oneOf(Identities.Source.class),
            "none",
            "What the user of an HBase client is taken from: simple believes the name that it states, certificate takes"
                    + " the common name of its TLS certificate; none lets every client do everything."));
    public static final Setting<String> AUTH_USERS = SETTINGS.add(setting(
            "hbase.auth.users",
            text(),
            "",
            "With hbase.auth=none: names that may call, with commas between; empty allows everyone. Clients state their own"
                    + " names."));
    public static final Setting<Integer> THREADS = SETTINGS.add(
            setting("hbase.threads", integer(0, 1024), "0", "Threads that run HBase calls; 0 chooses by processors."));
    public static final Setting<Integer> CONNECTIONS_MAX = SETTINGS.add(
            setting("hbase.max.connections", integer(1, 1_000_000), "10000", "HBase connections open at once."));
    public static final Setting<Long> CALL_BYTES_MAX = SETTINGS.add(
            setting("hbase.max.call.bytes", bytes(MB, GB), "256mb", "Largest HBase request, its cells included."));
    public static final Setting<Long> REGION_BYTES_MAX = SETTINGS.add(setting(
            "hbase.region.bytes",
            bytes(MB, TB),
            "10gb",
            "HBase regions that grow larger are split in two; a table's MAX_FILESIZE goes before it."));
    public static final Setting<Long> RESULT_BYTES_MAX = SETTINGS.add(
            setting("hbase.max.result.bytes", bytes(MB, GB), "64mb", "About the most that one HBase answer takes."));
    public static final Setting<Integer> SCANNERS_MAX = SETTINGS.add(setting(
            "hbase.max.scanners", integer(1, 200), "128", "HBase scanners open at once; each holds a snapshot."));
    public static final Setting<Duration> SCANNER_LEASE = SETTINGS.add(
            setting("hbase.scanner.lease", duration(), "60s", "Time after which an unused HBase scanner is closed."));
    public static final Setting<Integer> ZOOKEEPER_PORT = SETTINGS.add(setting(
            "zookeeper.port",
            port(),
            "2181",
            "Port of the embedded ZooKeeper that HBase clients ask; 0 picks a free one."));
    public static final Setting<List<String>> ZOOKEEPER_QUORUM = SETTINGS.add(
            setting("zookeeper.quorum", endpoints(), "", "An outside ZooKeeper instead of the embedded one."));
    public static final Setting<String> ZNODE_PARENT = SETTINGS.add(setting(
            "zookeeper.znode.parent", text(), "/hbase", "The node in ZooKeeper under which HBase clients look."));

    private HBaseSettings() {}

    public static List<Setting<?>> all() {
        return SETTINGS.all();
    }
}
