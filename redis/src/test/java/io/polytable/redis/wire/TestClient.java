package io.polytable.redis.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A client that shows every byte: replies come back in RESP's own spelling, line ends as blanks. */
public final class TestClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 20_000;

    /**
     * Fixed, so that a client that does not read leaves its replies with the server. Linux otherwise grows the buffer, up to 32
     * megabytes, and takes whole replies off the server's hands.
     */
    private static final int RECEIVE_BUFFER_BYTES = 1 << 16;

    private final Socket socket;
    private final InputStream in;

    TestClient(int port) {
        try {
            socket = new Socket();
            socket.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** One request, one reply. */
    String call(String... words) {
        sendRaw(request(words));
        return read();
    }

    void send(String... words) {
        sendRaw(request(words));
    }

    public static String request(String... words) {
        StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            request.append('$')
                    .append(word.length())
                    .append("\r\n")
                    .append(word)
                    .append("\r\n");
        }
        return request.toString();
    }

    void sendRaw(String bytes) {
        try {
            socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    List<String> read(int replies) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < replies; i++) {
            all.add(read());
        }
        return all;
    }

    /** The next reply, or an empty text when the server has closed. */
    String read() {
        try {
            String line = readLine();
            if (line.isEmpty()) {
                return "";
            }
            return switch (line.charAt(0)) {
                case '$', '=' -> line.equals("$-1") ? line : line + " " + readBulk(count(line));
                case '*', '~', '>' -> line + readItems(Math.max(0, count(line)));
                case '%' -> line + readItems(2 * count(line));
                default -> line;
            };
        } catch (IOException closed) {
            return "";
        }
    }

    /** Whether something can be read at once. */
    boolean hasReply() {
        try {
            return in.available() > 0;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    boolean isClosedByServer() {
        return read().isEmpty();
    }

    private static int count(String line) {
        return Integer.parseInt(line.substring(1));
    }

    private String readItems(int items) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < items; i++) {
            all.append(' ').append(read());
        }
        return all.toString();
    }

    private String readBulk(int length) throws IOException {
        byte[] bytes = in.readNBytes(length + 2);
        return new String(bytes, 0, length, ISO_8859_1);
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        int b = in.read();
        while (b >= 0 && b != '\r') {
            line.append((char) b);
            b = in.read();
        }
        if (b >= 0) {
            in.skipNBytes(1);
        }
        return line.toString();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
