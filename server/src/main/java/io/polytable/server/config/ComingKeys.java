package io.polytable.server.config;

import static io.polytable.server.config.Key.key;
import static io.polytable.server.config.ValueTypes.bool;
import static io.polytable.server.config.ValueTypes.endpoints;
import static io.polytable.server.config.ValueTypes.port;

import java.util.List;

/**
 * Faces and engines that are still to come. Their keys exist already, so that one file serves this
 * version and the next; a family leaves this class when its room arrives.
 */
public final class ComingKeys {
    private static final Declarations KEYS = new Declarations();

    public static final Key<Boolean> HBASE_ENABLED =
            KEYS.add(key("hbase.enabled", bool(), "true", "Whether HBase clients are served.")
                    .alias("hbase.enable")
                    .notYet());
    public static final Key<Integer> HBASE_PORT =
            KEYS.add(key("hbase.port", port(), "16020", "Port of the HBase region server.")
                    .notYet());
    public static final Key<Integer> HBASE_MASTER_PORT =
            KEYS.add(key("hbase.master.port", port(), "16000", "Port of the HBase master.")
                    .notYet());
    public static final Key<Integer> ZOOKEEPER_PORT =
            KEYS.add(key("zookeeper.port", port(), "2181", "Port of the embedded ZooKeeper that HBase clients ask.")
                    .notYet());
    public static final Key<List<String>> ZOOKEEPER_QUORUM =
            KEYS.add(key("zookeeper.quorum", endpoints(), "", "An outside ZooKeeper instead of the embedded one.")
                    .notYet());

    private ComingKeys() {}

    static List<Key<?>> all() {
        return KEYS.all();
    }
}
