/**
 * A session with a cluster: {@link io.polytable.entity.cassandra.cluster.Cluster} connects, prepares and executes; {@link
 * io.polytable.entity.cassandra.cluster.Failures} turns what the driver says into entity errors; {@link
 * io.polytable.entity.cassandra.cluster.WriteClock} gives write times by the cluster's clock. Knows nothing of entities.
 */
@NullMarked
package io.polytable.entity.cassandra.cluster;

import org.jspecify.annotations.NullMarked;
