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
 * <p>A group that keeps one version has no time in its key: a newer cell replaces an older one, by the cell's own time, which
 * is then also Cassandra's write time. Of other groups, reads show no more versions than the group keeps, and both reads and
 * writes remove what is beyond ({@link io.polytable.entity.cassandra.write.VersionTrim}). Increments and checked changes are
 * conditional batches that replace the partition's {@code rev}; plain writes do not touch it, so a check is safe against other
 * checks and increments, not against plain puts of the same moment.
 *
 * <p>Rooms, each using those before it: {@code cluster} is the session, {@code group} the tables of a locality group, {@code
 * write} and {@code scan} what their names say; here is what the entity library sees. Second tables ({@link
 * io.polytable.entity.cassandra.group.TimeIndex}, {@link io.polytable.entity.cassandra.group.ColumnIndex}, {@link
 * io.polytable.entity.cassandra.scan.KeyIndex}) only tell where to look; the cells decide what is there.
 *
 * <p>A table with the option {@code ordered} also has its keys in {@code users_keys}, by first byte: scans are then in the
 * order of keys, elsewhere in the order of their tokens.
 */
@NullMarked
package io.polytable.entity.cassandra;

import org.jspecify.annotations.NullMarked;
