/**
 * MULTI, EXEC, DISCARD, WATCH, UNWATCH.
 *
 * <p>Queue and watched keys are a session's {@link io.polytable.redis.command.Transaction}. The dispatcher queues calls between
 * MULTI and EXEC; EXEC runs them in one unit of work with the stripes of all their keys held ({@code dispatch.TransactionRunner}),
 * so the transaction is one commit: isolated, and whole or absent after a crash. A command that fails is rolled back alone. A
 * transaction with a command that names no keys (KEYS, SCAN, RANDOMKEY, DBSIZE, FLUSHALL, SWAPDB) holds all stripes; no
 * other command waits for more than the stripes it shares.
 *
 * <p>{@link io.polytable.redis.command.transaction.Watches} listens to the changes of watched keys. EXEC holds the stripes of the
 * watched keys too when it asks whether one was touched, so no change can fall between the question and its own commit.
 */
@NullMarked
package io.polytable.redis.command.transaction;

import org.jspecify.annotations.NullMarked;
