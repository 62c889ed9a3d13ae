/**
 * Calls that wait until a key holds something (BZPOPMIN, BLPOP, XREAD) or for a timeout (WAIT).
 *
 * <p><b>To block</b>, a body that finds nothing returns a {@link io.polytable.redis.command.Waiter}:
 *
 * <pre>
 * return Waiter.forKeys(call, keys, Type.LIST, Timeouts.seconds(call, last), Reply.ABSENT_ARRAY);
 * </pre>
 *
 * That is all. The body is written as if it never blocked: it takes what exists, and otherwise returns the waiter. It
 * runs again from the start, with the same words (or others: {@code Waiter.of(...).runAs(words).reply()}), when an
 * awaited key may satisfy it. If it returns a waiter again, the call stays blocked, at its place in the queue and with
 * its original timeout. A call that must also learn that its key is gone (XREADGROUP) adds {@code orGone()}. Inside
 * MULTI nothing blocks: the call gets its timeout reply.
 *
 * <p><b>Queues.</b> The waiter enters {@link io.polytable.redis.command.blocking.Waiting} while the dispatcher still
 * holds the stripes of its keys, so no write can fall between the read and the entry. Its connection runs nothing else,
 * and no thread is blocked.
 *
 * <p><b>Serving.</b> A command or transaction that writes an awaited key serves the blocked calls itself, in their
 * order of arrival: after its own body, in its own unit of work, before its commit ({@code dispatch.Unblocker}). So the
 * write and the calls it serves are one commit: nobody else (a scan, an SQL view, a restart) sees or takes what was
 * written for a blocked client. What a served call writes may serve others in turn (BLMOVE after BLMOVE). The writer
 * therefore needs the stripes of all keys that those calls touch: it takes its own, looks who waits, and starts over
 * with more stripes if necessary ({@code dispatch.KeyLocks}). While no call is blocked, a write reads one counter.
 *
 * <p><b>Ends.</b> The writer holds a waiter's lock from its attempt until its commit. A timeout, CLIENT UNBLOCK, CLIENT
 * KILL and a disconnect take it too: each finds the call blocked, and ends it, or answered, and does nothing. If the
 * commit fails, the waiters keep their places. A reply whose connection breaks before it arrives is lost, as in Redis.
 *
 * <p>In two cases a call runs again on its own event loop, because no writer's dispatcher can serve it: a key that
 * expired in the background, and SWAPDB of a key space with several logs, which a single commit cannot span.
 */
@NullMarked
package io.polytable.redis.command.blocking;

import org.jspecify.annotations.NullMarked;
