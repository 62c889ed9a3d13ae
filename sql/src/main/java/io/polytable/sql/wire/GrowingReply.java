package io.polytable.sql.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** An answer that is sent whole while it is small, and in pieces from where it is not. */
final class GrowingReply extends OutputStream {
    static final int WHOLE_BYTES_MAX = 64 << 10;

    private final SqlReply reply;
    private final String contentType;
    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(1024);
    private OutputStream target = buffer;

    GrowingReply(SqlReply reply, String contentType) {
        this.reply = reply;
        this.contentType = contentType;
    }

    /** Whether the status has gone out, so that an error can only be told in the body. */
    boolean isStarted() {
        return target != buffer;
    }

    @Override
    public void write(int b) throws IOException {
        grow(1);
        target.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        grow(length);
        target.write(bytes, offset, length);
    }

    private void grow(int more) throws IOException {
        if (target == buffer && buffer.size() + more > WHOLE_BYTES_MAX) {
            target = reply.begin(200, contentType);
            buffer.writeTo(target);
            buffer.reset();
        }
    }

    /** Ends the answer; the status counts only if none has gone out. */
    void end(int status) throws IOException {
        if (isStarted()) {
            target.close();
        } else {
            reply.whole(status, contentType, buffer.toByteArray());
        }
    }

    /** Forgets what was not sent. */
    void reset() {
        buffer.reset();
    }
}
