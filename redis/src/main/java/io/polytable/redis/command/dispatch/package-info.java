/**
 * Running a call. {@link io.polytable.redis.command.dispatch.Dispatcher} looks the command up, refuses what has the wrong shape,
 * takes the stripes of the declared keys, runs the body, commits its unit of work and lets the stripes go;
 * {@code CallTimer} measures it for the statistics and the slow log. Every body passes through {@code BodyRunner}: alone, queued
 * by MULTI ({@code TransactionRunner}), or blocked and served by a write ({@code HandOver}). An event loop has one dispatcher, one call and one
 * unit, so that nothing is allocated or shared between commands.
 */
@NullMarked
package io.polytable.redis.command.dispatch;

import org.jspecify.annotations.NullMarked;
