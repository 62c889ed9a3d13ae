/**
 * Calls that wait for keys to hold something (BZPOPMIN, BLPOP, XREAD) or for time to pass (WAIT).
 *
 * <p><b>To block</b>, a body that finds nothing answers a {@link io.polytable.redis.command.Waiter}:
 *
 * <pre>
 * return Waiter.forKeys(call, keys, Type.LIST, Timeouts.seconds(call, last), Reply.ABSENT_ARRAY);
 * </pre>
 *
 * That is all. The body is written as if it never blocked: it takes what is there, and otherwise answers the waiter. It is run
 * again, whole, with the same words (or others: {@code Waiter.of(...).runAs(words).reply()}), when a key it waits for may
 * satisfy it; a second waiter means that it goes on waiting, at its place and with its first timeout. A call that must also
 * hear that its key is gone (XREADGROUP) adds {@code orGone()}. Inside MULTI nothing blocks: the reply is the one of a
 * timeout.
 *
 * <p><b>Queues.</b> The waiter enters {@link io.polytable.redis.command.blocking.Waiting} while the dispatcher still holds
 * the stripes of its keys, so no write can fall between its reading and its entry. Its connection runs nothing else, and it
 * costs nothing while it waits.
 *
 * <p><b>Hand-over.</b> A command or transaction that writes a key someone waits for serves the waiting calls itself, in their
 * order of arrival: after its own body, in its own unit of work, before its commit ({@code dispatch.HandOver}). So write and
 * hand-over are one commit: nobody else sees or takes what was written for a waiting client, not a scan, not an SQL view, not
 * a restart. What a served call writes may serve others in turn (BLMOVE after BLMOVE). For this the writer needs the stripes
 * of all keys those calls touch: it takes its own, looks who waits, and starts over with more stripes if it must
 * ({@code dispatch.KeyLocks}). While nobody waits, a write looks at one counter.
 *
 * <p><b>Ends.</b> A waiter has a lock, which the writer holds from its attempt until its commit. A timeout, CLIENT UNBLOCK,
 * CLIENT KILL and a disconnect take it too: each finds the call blocked, and ends it, or answered, and does nothing. If the
 * commit fails, the waiters stay where they were. An answer whose connection breaks before it arrives is lost, as in Redis.
 *
 * <p>Two cases run a call again on its own event loop, because no dispatcher of the writer is there to do it: a key that
 * expired in the background, and SWAPDB of a key space with several logs, which no single commit could span.
 */
@NullMarked
package io.polytable.redis.command.blocking;

import org.jspecify.annotations.NullMarked;
