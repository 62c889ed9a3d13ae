package io.polytable.sql.wire;

import io.polytable.frontend.http.ReplyStream;
import io.polytable.sql.type.SqlError;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A reply that is buffered and sent whole while it is small, and streamed once it outgrows the buffer. No byte of it
 * leaves before the gate is passed: the one place where the answers of SQL wait for what they saw to be durable.
 */
final class GrowingReply extends OutputStream {
    static final int WHOLE_BYTES_MAX = 256 << 10;

    private final ReplyStream reply;
    private final String contentType;
    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(1024);
    private OutputStream target = buffer;

    private final Runnable gate;
    private boolean started;
    private boolean released;
    private @Nullable SqlError refusal;

    /** @param gate waits until what was written so far may leave, and throws an {@link SqlError} if it never may */
    GrowingReply(ReplyStream reply, String contentType, Runnable gate) {
        this.reply = reply;
        this.contentType = contentType;
        this.gate = gate;
    }

    /** Whether the status has been sent, so that only the body can still report an error. */
    boolean isStarted() {
        return started;
    }

    /** Whether the gate refused the reply before it was complete. */
    boolean isRefused() {
        return refusal != null;
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
            if (!released) {
                passGate();
            }
            started = true;
            target = reply.begin(200, contentType);
            buffer.writeTo(target);
            buffer.reset();
        }
    }

    private void passGate() {
        try {
            gate.run();
        } catch (SqlError refused) {
            refusal = refused;
            if (!started) {
                // Writers that are in the middle of a value close it; none of that is part of the error's reply.
                buffer.reset();
                target = OutputStream.nullOutputStream();
            }
            throw refused;
        }
    }

    /**
     * Waits until the reply may leave. Called when all rows have been read, also if the reply has been streamed so far.
     *
     * @throws SqlError if the client must not see it; what was not sent is discarded, and a reply with the error may be
     *     written instead
     */
    void release() {
        SqlError refused = refusal;
        if (refused == null) {
            try {
                passGate();
            } catch (SqlError late) {
                refused = late;
            }
        }
        released = true;
        if (refused != null) {
            if (!started) {
                target = buffer;
            }
            throw refused;
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
}
