package io.polytable.server.http;

import java.io.IOException;
import java.io.OutputStream;

/** Where an answer of any size goes: whole, or in pieces. One of the two is called, once, on a worker thread. */
public interface ReplyStream {
    void whole(int status, String contentType, byte[] body);

    /** The body is written to the stream, which waits while the client is slow, and closed. */
    OutputStream begin(int status, String contentType) throws IOException;
}
