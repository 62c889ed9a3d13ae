package io.polytable.redis.wire.request;

/**
 * Bytes that are not a request. The client gets the text, then the connection is closed: the start of the next request
 * is unknown.
 */
public final class ProtocolError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ProtocolError(String text) {
        super("Protocol error: " + text, null, false, false);
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
