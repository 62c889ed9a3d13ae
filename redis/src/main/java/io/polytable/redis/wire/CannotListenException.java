package io.polytable.redis.wire;

/** The address cannot be had: taken by another process, not ours, or not allowed. */
public final class CannotListenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CannotListenException(String host, int port, Throwable cause) {
        super("Cannot listen on " + host + ":" + port + ": " + cause.getMessage(), cause);
    }
}
