/**
 * The HBase face: a cell store served as an HBase cluster of one server, to clients that know nothing of us.
 *
 * <p>{@link io.polytable.hbase.HBaseFace} puts it together. A call goes {@code wire} (frames, messages, cell blocks), then
 * {@code client} or {@code admin} (what the methods do), with {@code convert} between HBase's types and those of {@code
 * cells}. {@code catalog} knows tables, states and regions, {@code meta} shows them as {@code hbase:meta}, {@code
 * zookeeper} publishes where the server is, and {@code rpc} is what they have in common: a call, an answer, a method.
 */
@NullMarked
package io.polytable.hbase;

import org.jspecify.annotations.NullMarked;
