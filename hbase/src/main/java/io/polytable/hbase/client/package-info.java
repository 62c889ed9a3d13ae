/**
 * HBase's {@code ClientService}. {@link io.polytable.hbase.client.PointCalls} serves Get and Mutate, {@link
 * io.polytable.hbase.client.MultiCalls} batches, {@link io.polytable.hbase.client.ScanCalls} scans. A call finds its
 * {@code Region}, converts the message and reads or writes the region's cell table. A scanner ({@code OpenScanner})
 * holds a snapshot of the store, so {@link io.polytable.hbase.client.Scanners} limits their number and gives each a
 * lease.
 */
@NullMarked
package io.polytable.hbase.client;

import org.jspecify.annotations.NullMarked;
