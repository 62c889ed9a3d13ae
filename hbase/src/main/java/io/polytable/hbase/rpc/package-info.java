/**
 * What a method of HBase's protocol is made of: {@link io.polytable.hbase.rpc.Method} (one line declares one), its {@link
 * io.polytable.hbase.rpc.Call}, its {@link io.polytable.hbase.rpc.Answer}, and {@link io.polytable.hbase.rpc.Failures},
 * which gives every failure the class that tells a client whether to try again.
 */
@NullMarked
package io.polytable.hbase.rpc;

import org.jspecify.annotations.NullMarked;
