/**
 * HTTP/1.1 on Netty: bytes to calls, replies to bytes. The only room of the server with Netty.
 *
 * <p>A connection handles one request at a time. It reads only when asked ({@code autoRead} is
 * off), and asks again when the reply is written; what a client pipelines waits its turn, bounded
 * by one read. So a slow answer holds up its own connection, and nothing piles up.
 *
 * <p>Everything has a limit, in {@link io.polytable.server.wire.HttpLimits}: connections, header,
 * body, the time to send a request, the time to take a reply, the time to do nothing. What is
 * malformed gets 400 and the connection closes, since its framing can no longer be trusted.
 */
@NullMarked
package io.polytable.server.wire;

import org.jspecify.annotations.NullMarked;
