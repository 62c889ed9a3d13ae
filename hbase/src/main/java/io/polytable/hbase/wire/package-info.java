/**
 * HBase's protocol as bytes, on Netty: {@link io.polytable.hbase.wire.RpcServer} listens, a {@code Connection} reads
 * preamble, header and frames, a {@code RunningCall} runs on a worker unless it is brief, and {@code Responses} writes what it
 * answers. Every length is checked before it is believed.
 */
@NullMarked
package io.polytable.hbase.wire;

import org.jspecify.annotations.NullMarked;
