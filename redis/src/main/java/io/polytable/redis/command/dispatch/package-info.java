/**
 * Running a call. {@link io.polytable.redis.command.dispatch.Dispatcher} looks the command up, rejects invalid calls,
 * locks the stripes of the declared keys, runs the body, commits its unit of work and unlocks the stripes;
 * {@code CallTimer} measures it for the statistics and the slow log. Every body runs in {@code BodyRunner}: standalone,
 * queued by MULTI ({@code TransactionRunner}), or blocked and served by a write ({@code Unblocker}). An event loop has
 * one dispatcher, one call and one unit of work, so commands allocate and share nothing.
 */
@NullMarked
package io.polytable.redis.command.dispatch;

import org.jspecify.annotations.NullMarked;
