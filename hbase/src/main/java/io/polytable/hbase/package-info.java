/**
 * The HBase frontend: serves a cell store to unmodified HBase clients as a cluster of one server.
 *
 * <p>{@link io.polytable.hbase.HBaseServer} assembles it. A call passes through {@code wire} (frames, messages, cell
 * blocks) to {@code client} or {@code admin} (the methods); {@code convert} translates between HBase's types and those
 * of {@code cells}. {@code catalog} holds tables, states and regions, {@code meta} presents them as {@code
 * hbase:meta}, {@code zookeeper} publishes the server's address, and {@code rpc} defines what they share: call,
 * answer, method.
 */
@NullMarked
package io.polytable.hbase;

import org.jspecify.annotations.NullMarked;
