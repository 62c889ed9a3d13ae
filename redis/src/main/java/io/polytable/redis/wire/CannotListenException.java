package io.polytable.redis.wire;

/** The address cannot be bound: in use, not local, or not permitted. */
public final class CannotListenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CannotListenException(String host, int port, Throwable cause) {
        super("Cannot listen on " + host + ":" + port + ": " + cause.getMessage(), cause);
    }
}
