/**
 * Discovery by HBase's clients: {@link io.polytable.hbase.zookeeper.Discovery} publishes znodes, in the {@link
 * io.polytable.hbase.zookeeper.EmbeddedZooKeeper} of this process or in an external one.
 */
@NullMarked
package io.polytable.hbase.zookeeper;

import org.jspecify.annotations.NullMarked;
