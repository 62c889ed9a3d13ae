package io.polytable.frontend.http;

import java.io.IOException;
import java.io.OutputStream;

/**
 * The receiver of an answer of any size, complete or in chunks. One of {@link #whole} and {@link #begin} is called,
 * once, on a worker thread.
 */
public interface ReplyStream {
    /** Adds a header to the answer. Called before one of the other methods, if at all. */
    void header(String name, String value);

    /** Runs the action if the client closes the connection before the answer is sent. The action must not block. */
    void whenGone(Runnable action);

    void whole(int status, String contentType, byte[] body);

    /**
     * The caller writes the body to the stream, which blocks while the client is slow, and closes it. If the answer ends
     * with the stream still open, the connection is broken, so that the client does not take the body for complete.
     */
    OutputStream begin(int status, String contentType) throws IOException;
}
