package io.polytable.redis.wire;

/** Bytes that are no request: the client gets the text, then the connection ends, since nobody knows where the next one starts. */
final class ProtocolError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ProtocolError(String text) {
        super("Protocol error: " + text, null, false, false);
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
