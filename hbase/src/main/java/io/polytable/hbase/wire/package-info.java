/**
 * HBase's RPC protocol on Netty. {@link io.polytable.hbase.wire.RpcServer} listens, a {@code Connection} reads
 * preamble, header and frames ({@code FrameReader}), a {@code RunningCall} decodes and runs the method, on a worker
 * unless it is brief, and {@code Responses} encodes the response. Every length from the network is validated before
 * memory is allocated for it.
 */
@NullMarked
package io.polytable.hbase.wire;

import org.jspecify.annotations.NullMarked;
