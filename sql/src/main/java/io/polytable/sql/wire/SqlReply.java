package io.polytable.sql.wire;

import java.io.IOException;
import java.io.OutputStream;

/** Where an answer goes: whole, or in pieces when it is large. One of the two is called, once. */
public interface SqlReply {
    void whole(int status, String contentType, byte[] body);

    /** The rest of the body is written to the stream, which waits while the client is slow, and closed. */
    OutputStream begin(int status, String contentType) throws IOException;
}
