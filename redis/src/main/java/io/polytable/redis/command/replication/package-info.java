/**
 * This server as the primary of Redis replicas (PSYNC, SYNC and REPLCONF), and as a replica (REPLICAOF).
 *
 * <p>{@link io.polytable.redis.command.replication.Replication} follows commits as soon as there is a replica, and appends
 * their effects, as commands, to the {@link io.polytable.redis.command.replication.Backlog}. Each
 * {@link io.polytable.redis.command.replication.Replica} has a thread that sends it an RDB file of a snapshot and then
 * everything from the snapshot's offset on: from a temporary file while the RDB file is on its way, later from the
 * backlog. A replica that falls behind the backlog is disconnected and synchronizes again.
 *
 * <p>{@link io.polytable.redis.command.replication.Following} knows the primary of this server, and one
 * {@link io.polytable.redis.command.replication.PrimaryLink} at a time applies its stream.
 */
@NullMarked
package io.polytable.redis.command.replication;

import org.jspecify.annotations.NullMarked;
