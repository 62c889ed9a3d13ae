package io.polytable.server.wire;

import java.time.Duration;

/** What a client of the HTTP port may ask for at most. */
public record HttpLimits(
        int connectionsMax, int headerBytesMax, int bodyBytesMax, Duration requestTimeout, Duration idleTimeout) {
    /** Longest request line; paths and queries here are short. */
    static final int LINE_BYTES_MAX = 8192;

    /**
     * What is taken from a socket at a time. It bounds how much pipelining can pile up, and holds fewer requests of the
     * shortest kind than the 128 that Netty lets wait.
     */
    static final int READ_BYTES = 2048;

    /** Answers that may run on worker threads at once, and wait for one; beyond, the client gets 503. */
    static final int SLOW_ANSWERS_MAX = 4;

    static final int SLOW_ANSWERS_WAITING_MAX = 16;

    /** Answers that are written as they come: each holds a thread while its client reads. */
    static final int STREAMED_ANSWERS_MAX = 32;

    static final int STREAMED_ANSWERS_WAITING_MAX = 1000;

    /** Pieces of a streamed answer that may be on their way to a client before the writer waits. */
    static final int STREAMED_PIECES_MAX = 4;

    static final int STREAMED_PIECE_BYTES = 64 << 10;
}
