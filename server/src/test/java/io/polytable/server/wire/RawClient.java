package io.polytable.server.wire;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A client that sends arbitrary bytes. */
final class RawClient implements AutoCloseable {
    private static final int READ_MILLIS_MAX = 20_000;

    private final Socket socket;
    private final InputStream in;

    RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(READ_MILLIS_MAX);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** A response as the wire had it. */
    record Response(int status, String headers, String body) {}

    RawClient send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        return this;
    }

    /** Sends nothing more, but still reads. */
    RawClient endOutput() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    Response get(String path) throws IOException {
        return send("GET " + path + " HTTP/1.1\r\nHost: here\r\n\r\n").read();
    }

    Response read() throws IOException {
        String headers = readHeaders();
        int status = Integer.parseInt(headers.split(" ", 3)[1]);
        return new Response(status, headers, new String(in.readNBytes(length(headers)), StandardCharsets.UTF_8));
    }

    /** Headers alone: what HEAD is answered with. */
    String readHeaders() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (!bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("Closed after: " + bytes.toString(StandardCharsets.ISO_8859_1));
            }
            bytes.write(next);
        }
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    /** Waits for the server to close; false if it sends something instead. */
    boolean isClosedByServer() throws IOException {
        try {
            return in.read() < 0;
        } catch (java.net.SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    private static int length(String headers) {
        return headers.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
                .map(line ->
                        Integer.parseInt(line.substring(line.indexOf(':') + 1).strip()))
                .findFirst()
                .orElse(0);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
