package io.polytable.hbase.zookeeper;

/**
 * Where a server is published.
 *
 * @param quorum the ZooKeeper servers, {@code host:port} with commas between
 * @param parent the node under which all others are, as clients know it by {@code zookeeper.znode.parent}
 * @param secret with which nodes are protected from being changed by others; empty to leave them open
 */
public record DiscoveryOptions(String quorum, String parent, String secret) {}
