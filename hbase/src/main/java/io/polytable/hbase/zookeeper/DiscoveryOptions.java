package io.polytable.hbase.zookeeper;

/**
 * Where and how a server is published in ZooKeeper.
 *
 * @param quorum the ZooKeeper servers, a comma-separated list of {@code host:port}
 * @param parent the parent of all znodes, which clients configure as {@code zookeeper.znode.parent}
 * @param secret protects the znodes against changes by others; empty to leave them open
 */
public record DiscoveryOptions(String quorum, String parent, String secret) {}
