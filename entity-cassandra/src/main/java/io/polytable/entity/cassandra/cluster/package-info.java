/**
 * A session with a cluster: {@link io.polytable.entity.cassandra.cluster.Cluster} connects, prepares and executes;
 * {@link io.polytable.entity.cassandra.cluster.Failures} maps failures of the driver to entity errors; {@link
 * io.polytable.entity.cassandra.cluster.WriteClock} provides write times by the cluster's clock. Independent of
 * entities.
 */
@NullMarked
package io.polytable.entity.cassandra.cluster;

import org.jspecify.annotations.NullMarked;
