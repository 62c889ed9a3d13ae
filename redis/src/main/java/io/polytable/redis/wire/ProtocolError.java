package io.polytable.redis.wire;

/**
 * Bytes that are not a request. The client gets the text, then the connection is closed: the next request cannot be
 * found.
 */
final class ProtocolError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ProtocolError(String text) {
        super("Protocol error: " + text, null, false, false);
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
