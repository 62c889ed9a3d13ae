package io.polytable.server.projection;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A minimal Redis client for tests. */
public final class RedisClient implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    public RedisClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        in = new BufferedInputStream(socket.getInputStream());
        out = new BufferedOutputStream(socket.getOutputStream());
    }

    /** Sends the command without waiting for its answer. */
    public void send(String... words) throws IOException {
        out.write(("*" + words.length + "\r\n").getBytes(UTF_8));
        for (String word : words) {
            byte[] bytes = word.getBytes(UTF_8);
            out.write(("$" + bytes.length + "\r\n").getBytes(UTF_8));
            out.write(bytes);
            out.write("\r\n".getBytes(UTF_8));
        }
    }

    /** The reply as text: errors with their minus, null as an empty text. */
    public String ask(String... words) throws IOException {
        send(words);
        return String.join(" ", answer());
    }

    public List<String> askAll(String... words) throws IOException {
        send(words);
        return answer();
    }

    /** The next answer; a text is a list of one. */
    public List<String> answer() throws IOException {
        out.flush();
        String line = line();
        int length = line.charAt(0) == '$' || line.charAt(0) == '*' ? Integer.parseInt(line.substring(1)) : 0;
        return switch (line.charAt(0)) {
            case '$' -> length < 0 ? List.of() : List.of(text(length));
            case '*' -> list(length);
            case '-' -> List.of(line);
            default -> List.of(line.substring(1));
        };
    }

    private List<String> list(int length) throws IOException {
        List<String> items = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            items.addAll(answer());
        }
        return items;
    }

    private String text(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        in.skipNBytes(2);
        return new String(bytes, UTF_8);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\r'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("The server closed the connection");
            }
            line.append((char) c);
        }
        in.skipNBytes(1);
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
