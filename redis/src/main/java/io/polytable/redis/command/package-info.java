/**
 * Which commands exist, their shape, their refusals.
 *
 * <p>A {@link io.polytable.redis.command.CommandFamily} declares its commands, one line each: name, arity, where the
 * keys are, flags, and the body. The declaration is the only place that knows it: the
 * {@link io.polytable.redis.command.Dispatcher} locks the stripes of the declared keys around the body and the commit,
 * COMMAND reports it, authentication and ACL categories follow from it. Nothing compares command names.
 *
 * <p>A body reads words from the {@link io.polytable.redis.command.Call}, calls the model once with
 * {@code call.space()}, and wraps what it got in a {@link io.polytable.redis.command.Reply}. It never locks, never
 * commits, never waits. A mistake of the client is a thrown {@link io.polytable.redis.model.RedisError}; then nothing
 * of the call's work is kept.
 */
@NullMarked
package io.polytable.redis.command;

import org.jspecify.annotations.NullMarked;
