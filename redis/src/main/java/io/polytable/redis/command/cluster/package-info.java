/**
 * CLUSTER, as answered by a server that is not part of a cluster:
 * {@link io.polytable.redis.command.cluster.ClusterCommands} reports one node with all slots,
 * {@link io.polytable.redis.command.cluster.RedirectionCommands} rejects ASKING, READONLY and READWRITE.
 */
@NullMarked
package io.polytable.redis.command.cluster;

import org.jspecify.annotations.NullMarked;
