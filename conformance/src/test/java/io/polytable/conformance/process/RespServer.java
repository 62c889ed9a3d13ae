package io.polytable.conformance.process;

import io.polytable.conformance.resp.RespConnection;

/** A running server with RESP on a loopback port. */
public interface RespServer extends AutoCloseable {
    int port();

    default RespConnection connect() {
        return RespConnection.open(port());
    }

    /** Stops it cleanly and restarts it on the same port, with its data. */
    void restart();

    /** Stops it cleanly, and by force if that fails. */
    @Override
    void close();
}
