/**
 * Entities in HBase, a real one or any server with its protocol: {@link io.polytable.entity.hbase.HBaseProvider} opens
 * {@code polytable-hbase://zk1,zk2:port/instance}. An instance is a namespace, an entity table a table, a locality
 * group a column family:
 *
 * <pre>
 * table pt_demo:users, family main (the group's id), qualifier "info:name" (the family's id, a colon, the stored qualifier)
 * </pre>
 *
 * <p>{@link io.polytable.entity.hbase.RowReads} translates queries into gets and scans with server-side filters, and
 * cuts the results to exactly the requested cells. {@link io.polytable.entity.hbase.RowMutationPlan} translates changes
 * into mutations. Counters are HBase's increments, applied once thanks to the client's nonces; checks are its
 * check-and-mutate.
 */
@NullMarked
package io.polytable.entity.hbase;

import org.jspecify.annotations.NullMarked;
