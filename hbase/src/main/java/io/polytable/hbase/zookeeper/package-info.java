/**
 * Where HBase's clients look first: the nodes that {@link io.polytable.hbase.zookeeper.Discovery} keeps, in a ZooKeeper
 * inside this process or in an outside one.
 */
@NullMarked
package io.polytable.hbase.zookeeper;

import org.jspecify.annotations.NullMarked;
