package io.polytable.hbase;

import java.io.IOException;

/** A port cannot be bound; the message is the operating system's. */
public final class PortTakenException extends IOException {
    private static final long serialVersionUID = 1L;

    public enum Port {
        MASTER,
        REGION_SERVER,
        ZOOKEEPER
    }

    private final Port port;

    PortTakenException(Port port, IOException cause) {
        super(cause.getMessage(), cause);
        this.port = port;
    }

    public Port port() {
        return port;
    }
}
