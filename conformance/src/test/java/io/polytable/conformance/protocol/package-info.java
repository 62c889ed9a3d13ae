/**
 * The wire below the clients: what a server does with bytes that are no command, half a command, or meant to hurt.
 *
 * <p>Every exchange is a {@link io.polytable.conformance.protocol.Transcript}: the bytes are sent with a PING behind them,
 * then the sending side is closed and all that comes back is read. An error that closes the connection leaves the PING
 * unanswered, one that does not, answers it; so the transcript alone tells the two apart, without waiting for silence.
 */
@NullMarked
package io.polytable.conformance.protocol;

import org.jspecify.annotations.NullMarked;
