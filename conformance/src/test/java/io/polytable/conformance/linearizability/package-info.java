/**
 * Single keys are linearizable: what concurrent clients were answered could have been answered by one client after the other,
 * each call at one moment between its sending and its reply.
 *
 * <p>{@link io.polytable.conformance.linearizability.Clients} let threads call a server and note when each call began, when
 * it was answered and with what. {@link io.polytable.conformance.linearizability.Checker} looks for an order of the calls of
 * one key in which its {@link io.polytable.conformance.linearizability.Model}, the key in the plainest form, gives the same
 * answers. A call that was never answered, since the server was killed, may have happened at any time after it began, or
 * not at all.
 */
@NullMarked
package io.polytable.conformance.linearizability;

import org.jspecify.annotations.NullMarked;
