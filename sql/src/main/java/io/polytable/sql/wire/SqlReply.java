package io.polytable.sql.wire;

import java.io.IOException;
import java.io.OutputStream;

/** The receiver of a reply, whole or streamed. Exactly one of {@link #whole} and {@link #begin} is called, once. */
public interface SqlReply {
    /** Adds a header to the reply. Called before one of the other methods, if at all. */
    void header(String name, String value);

    /** Runs the action if the client leaves before the reply is sent. The action must not block. */
    void whenGone(Runnable action);

    void whole(int status, String contentType, byte[] body);

    /**
     * Begins a streamed reply. The caller writes the body, which blocks on a slow client, and closes the stream. A stream
     * that is open when the endpoint returns has failed: the receiver breaks the connection.
     */
    OutputStream begin(int status, String contentType) throws IOException;
}
