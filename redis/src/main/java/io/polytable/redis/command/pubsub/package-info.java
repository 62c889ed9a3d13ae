/**
 * Publish and subscribe, and keyspace notifications.
 *
 * <p>{@link io.polytable.redis.command.pubsub.PubSub} knows who subscribed to what ({@code Topics}, a kind each) and turns a
 * publication into push messages; {@link io.polytable.redis.command.pubsub.PubSubCommands} are the commands.
 * {@link io.polytable.redis.command.pubsub.KeyNotifications} publishes what happened to keys: it listens to the changes of the key
 * space while {@code notify-keyspace-events} asks for some and somebody is subscribed.
 */
@NullMarked
package io.polytable.redis.command.pubsub;

import org.jspecify.annotations.NullMarked;
