/**
 * The building blocks of HBase's RPC, shared by {@code wire} and the services. A {@link io.polytable.hbase.rpc.Method}
 * (one line declares one) gets a request and its {@link io.polytable.hbase.rpc.Call} and returns an {@link
 * io.polytable.hbase.rpc.Answer}. {@link io.polytable.hbase.rpc.Failures} translates every failure into the exception
 * that decides whether a client retries.
 */
@NullMarked
package io.polytable.hbase.rpc;

import org.jspecify.annotations.NullMarked;
