package io.polytable.conformance.process;

import io.polytable.conformance.resp.RespConnection;

/** A running server that speaks RESP on a loopback port. */
public interface RespServer extends AutoCloseable {
    int port();

    default RespConnection connect() {
        return RespConnection.open(port());
    }

    /** Stops it the polite way and starts it again on the same port, with the data it kept. */
    void restart();

    /** Stops it the polite way, and by force when it does not listen. */
    @Override
    void close();
}
