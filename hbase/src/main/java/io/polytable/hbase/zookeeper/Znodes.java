package io.polytable.hbase.zookeeper;

import io.polytable.hbase.catalog.HBaseTable;
import io.polytable.hbase.catalog.Tables;
import io.polytable.hbase.meta.ServerAddress;
import io.polytable.table.Bytes;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The znodes by which HBase's clients discover a cluster, by path: parents come before their children. */
public final class Znodes {
    private static final String STATES = "/table-state";

    private Znodes() {}

    /**
     * The content of a znode.
     *
     * @param ephemeral whether the node stands for the running process, and must not outlive its session
     */
    record Znode(Bytes content, boolean ephemeral) {}

    /** The nodes of the server, which do not change while it runs. */
    static SortedMap<String, Znode> ofServer(String parent, ServerAddress address, String clusterId) {
        SortedMap<String, Znode> nodes = new TreeMap<>();
        Znode directory = new Znode(Bytes.EMPTY, false);
        for (int slash = parent.indexOf('/', 1); slash > 0; slash = parent.indexOf('/', slash + 1)) {
            nodes.put(parent.substring(0, slash), directory);
        }
        nodes.put(parent, directory);
        nodes.put(parent + "/hbaseid", new Znode(NodeContents.clusterId(clusterId), false));
        nodes.put(parent + "/rs", directory);
        nodes.put(parent + "/backup-masters", directory);
        nodes.put(parent + STATES, directory);
        nodes.put(parent + "/running", new Znode(NodeContents.running(address), false));
        nodes.put(parent + "/rs/" + address.regionServer(), new Znode(NodeContents.regionServer(), true));
        nodes.put(parent + "/meta-region-server", new Znode(NodeContents.metaServer(address), false));
        nodes.put(parent + "/master", new Znode(NodeContents.master(address), true));
        return Collections.unmodifiableSortedMap(nodes);
    }

    static String statesPath(String parent) {
        return parent + STATES;
    }

    /** The states of all tables, by the table's name. */
    static SortedMap<String, Bytes> states(Tables tables) {
        SortedMap<String, Bytes> states = new TreeMap<>();
        for (HBaseTable table : tables.all()) {
            states.put(table.hbaseName().getNameAsString(), NodeContents.tableState(table.state()));
        }
        return Collections.unmodifiableSortedMap(states);
    }

    /** The contents of all nodes. */
    public static SortedMap<String, Bytes> all(String parent, ServerAddress address, String clusterId, Tables tables) {
        SortedMap<String, Bytes> all = new TreeMap<>();
        ofServer(parent, address, clusterId).forEach((path, node) -> all.put(path, node.content()));
        states(tables).forEach((name, state) -> all.put(statesPath(parent) + "/" + name, state));
        return all;
    }
}
