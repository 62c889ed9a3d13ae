/**
 * HTTP/1.1 on Netty: decodes requests and encodes replies. The only package of the server that uses Netty.
 *
 * <p>A connection handles one request at a time. It reads on demand ({@code autoRead} is
 * off), and again when the reply is written; pipelined requests wait, bounded
 * by one read. So a slow answer delays only its own connection, and no queue grows (back-pressure).
 *
 * <p>Everything has a limit, in {@link io.polytable.server.wire.HttpLimits}: connections, header,
 * body, the time to send a request, the time to read a reply, the idle time. A malformed
 * request gets 400 and the connection is closed, since its framing can no longer be trusted.
 */
@NullMarked
package io.polytable.server.wire;

import org.jspecify.annotations.NullMarked;
