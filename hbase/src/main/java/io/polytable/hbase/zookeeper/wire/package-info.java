/**
 * ZooKeeper's client protocol over Netty, as far as discovery needs it. {@link
 * io.polytable.hbase.zookeeper.wire.DiscoveryServer} serves a tree of nodes that clients can read and watch but not
 * change; each client has a {@code DiscoveryConnection}.
 */
@NullMarked
package io.polytable.hbase.zookeeper.wire;

import org.jspecify.annotations.NullMarked;
