package io.polytable.conformance.protocol;

import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.resp.RespConnection;
import io.polytable.conformance.resp.RespText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** Everything a server replied to some bytes until the connection was closed. */
record Transcript(String said) {
    static final String PING = "*1\r\n$4\r\nPING\r\n";

    /** The bytes, a PING, and the end of the connection. */
    static Transcript of(RespServer server, String bytes) {
        try (RespConnection connection = server.connect()) {
            connection.send(bytes + PING);
            connection.finishSending();
            return rest(connection);
        } catch (UncheckedIOException e) {
            // The server closed while we were still sending: nothing more can be read.
            return new Transcript("");
        }
    }

    /** What is still to come on a connection. */
    static Transcript rest(RespConnection connection) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try {
            InputStream in = connection.rawInput();
            in.transferTo(said);
        } catch (SocketException e) {
            // A reset instead of an end: what was said before it counts.
            return new Transcript(said.toString(StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new UncheckedIOException("The server neither answered nor closed", e);
        }
        return new Transcript(said.toString(StandardCharsets.ISO_8859_1));
    }

    @Override
    public String toString() {
        return RespText.quoted(said);
    }
}
