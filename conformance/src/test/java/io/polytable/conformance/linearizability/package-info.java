/**
 * Linearizability of single keys: the replies to concurrent clients are those of some sequential order, in which each
 * call takes effect at one point between its sending and its reply.
 *
 * <p>{@link io.polytable.conformance.linearizability.Clients} runs threads that call a server and record the start, the
 * end and the reply of each call. {@link io.polytable.conformance.linearizability.Checker} searches for an order of the
 * calls of one key in which its sequential {@link io.polytable.conformance.linearizability.Model} gives the same
 * replies. A call without a reply, because the server was killed, may have taken effect at any time after it began, or
 * not at all.
 */
@NullMarked
package io.polytable.conformance.linearizability;

import org.jspecify.annotations.NullMarked;
