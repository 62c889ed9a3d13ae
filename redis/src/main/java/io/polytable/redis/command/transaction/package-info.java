/**
 * MULTI, EXEC, DISCARD, WATCH, UNWATCH.
 *
 * <p>A session's {@link io.polytable.redis.command.Transaction} holds its queue and its watched keys. The dispatcher
 * queues calls between MULTI and EXEC; EXEC runs them in one unit of work with the stripes of all their keys held
 * ({@code dispatch.TransactionRunner}), so the transaction is one commit: isolated, and atomic after a crash. A command
 * that fails is rolled back alone. A transaction with a command that names no keys (KEYS, SCAN, RANDOMKEY, DBSIZE,
 * FLUSHALL, SWAPDB) holds all stripes; any other transaction holds only the stripes of its keys.
 *
 * <p>{@link io.polytable.redis.command.transaction.Watches} listens to the changes of watched keys. EXEC also holds the
 * stripes of the watched keys when it checks them, so no change can fall between the check and its commit.
 */
@NullMarked
package io.polytable.redis.command.transaction;

import org.jspecify.annotations.NullMarked;
