package io.polytable.hbase;

import java.io.IOException;

/** One of the ports cannot be listened on; the message is the operating system's. */
public final class PortTakenException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Which of them. */
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
