/**
 * Entities in Apache Cassandra: {@link io.polytable.entity.cassandra.CassandraProvider} opens {@code
 * polytable-cassandra://host:port/instance}. An instance is a keyspace, a locality group a table:
 *
 * <pre>
 * CREATE TABLE "pt_demo"."users_main" (
 *   key blob, family text, qualifier text, time bigint, value blob, rev uuid STATIC,
 *   PRIMARY KEY ((key), family, qualifier, time)) WITH CLUSTERING ORDER BY (family ASC, qualifier ASC, time DESC)
 * </pre>
 *
 * <p>A group of one version has no time in its key: a newer cell replaces an older one, by the cell's timestamp, which
 * is then also Cassandra's write time. In other groups reads return at most the configured number of versions, and both
 * reads and writes remove surplus ones ({@link io.polytable.entity.cassandra.write.VersionTrim}). Increments and
 * checked changes are conditional batches that replace the partition's {@code rev}. Plain writes do not touch it, so a
 * check is safe against other checks and increments, but not against concurrent plain puts.
 *
 * <p>Packages, each using those before it: {@code cluster} (the session), {@code group} (the tables of a locality
 * group), {@code write}, {@code scan}; this package is the interface to the entity library. Index tables ({@link
 * io.polytable.entity.cassandra.group.TimeIndex}, {@link io.polytable.entity.cassandra.group.ColumnIndex}, {@link
 * io.polytable.entity.cassandra.scan.KeyIndex}) only say where to look; the cells are authoritative.
 *
 * <p>A table with the option {@code ordered} also has its keys in {@code users_keys}, by first byte: its scans are in
 * key order, others in token order.
 */
@NullMarked
package io.polytable.entity.cassandra;

import org.jspecify.annotations.NullMarked;
