package io.polytable.server.wire;

import io.polytable.frontend.http.Cors;
import java.time.Duration;

/**
 * The limits of the HTTP port.
 *
 * @param requestsPerSecondMax of one client, 0 for any number
 * @param cors pages of other sites that may send requests
 */
public record HttpLimits(
        int connectionsMax,
        int headerBytesMax,
        int bodyBytesMax,
        Duration requestTimeout,
        Duration idleTimeout,
        int requestsPerSecondMax,
        Cors cors) {
    /** Without limits for single clients, and for pages of this server only. */
    HttpLimits(
            int connectionsMax, int headerBytesMax, int bodyBytesMax, Duration requestTimeout, Duration idleTimeout) {
        this(connectionsMax, headerBytesMax, bodyBytesMax, requestTimeout, idleTimeout, 0, Cors.NONE);
    }

    /** Longest request line; paths and queries here are short. */
    static final int LINE_BYTES_MAX = 8192;

    /**
     * The size of one read from a socket. It bounds the number of pipelined requests, and holds fewer requests of the
     * shortest kind than the 128 that Netty queues.
     */
    static final int READ_BYTES = 2048;

    /** Answers that may run on worker threads, and wait for one; beyond that the client gets 503. */
    static final int SLOW_ANSWERS_MAX = 4;

    static final int SLOW_ANSWERS_WAITING_MAX = 16;

    /** Streamed answers: each holds a thread while its client reads. */
    static final int STREAMED_ANSWERS_MAX = 32;

    static final int STREAMED_ANSWERS_WAITING_MAX = 1000;

    /** Chunks of a streamed answer that may be in flight before the writer waits. */
    static final int STREAMED_PIECES_MAX = 4;

    static final int STREAMED_PIECE_BYTES = 64 << 10;
}
