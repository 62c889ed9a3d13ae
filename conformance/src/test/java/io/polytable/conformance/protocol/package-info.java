/**
 * Tests below the clients: a server's reaction to invalid, incomplete and hostile bytes.
 *
 * <p>Every exchange is a {@link io.polytable.conformance.protocol.Transcript}: the bytes are sent with a PING after
 * them, then the sending side is closed and all replies are read. An error that closes the connection leaves the PING
 * unanswered, others do not; so the transcript distinguishes the two without a time-out.
 */
@NullMarked
package io.polytable.conformance.protocol;

import org.jspecify.annotations.NullMarked;
