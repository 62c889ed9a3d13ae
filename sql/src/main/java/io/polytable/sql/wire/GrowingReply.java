package io.polytable.sql.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A reply that is buffered and sent whole while it is small, and streamed once it outgrows the buffer. */
final class GrowingReply extends OutputStream {
    static final int WHOLE_BYTES_MAX = 256 << 10;

    private final SqlReply reply;
    private final String contentType;
    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(1024);
    private OutputStream target = buffer;

    GrowingReply(SqlReply reply, String contentType) {
        this.reply = reply;
        this.contentType = contentType;
    }

    /** Whether the status has been sent, so that only the body can still report an error. */
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

    /** Ends the reply. The status is ignored if one has been sent. */
    void end(int status) throws IOException {
        if (isStarted()) {
            target.close();
        } else {
            reply.whole(status, contentType, buffer.toByteArray());
        }
    }

    /** Discards what was not sent. */
    void reset() {
        buffer.reset();
    }
}
