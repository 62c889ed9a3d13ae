/**
 * Publish and subscribe, and keyspace notifications.
 *
 * <p>{@link io.polytable.redis.command.pubsub.PubSub} holds the subscriptions (one {@code Topics} per kind) and turns a
 * publication into push messages; {@link io.polytable.redis.command.pubsub.PubSubCommands} are the commands.
 * {@link io.polytable.redis.command.pubsub.KeyNotifications} publishes the events of keys: it listens to the changes of
 * the key space while {@code notify-keyspace-events} enables some and somebody is subscribed.
 */
@NullMarked
package io.polytable.redis.command.pubsub;

import org.jspecify.annotations.NullMarked;
