/**
 * Discovery by HBase's clients: {@link io.polytable.hbase.zookeeper.Znodes} are the nodes that they read. Without an
 * external ZooKeeper they stand in a {@link io.polytable.hbase.zookeeper.NodeTree}, which {@code wire} serves in
 * ZooKeeper's protocol; otherwise {@link io.polytable.hbase.zookeeper.Discovery} publishes them in the external one.
 */
@NullMarked
package io.polytable.hbase.zookeeper;

import org.jspecify.annotations.NullMarked;
