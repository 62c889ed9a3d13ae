package io.polytable.conformance.resp;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A blocking connection to a server on loopback, with a time-out for every read. */
public final class RespConnection implements AutoCloseable {
    private static final int CONNECT_MILLIS_MAX = 5_000;
    private static final int READ_MILLIS_MAX = 20_000;

    private final Socket socket;
    private final OutputStream out;
    private final RespReader reader;

    private RespConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.out = socket.getOutputStream();
        this.reader = new RespReader(socket.getInputStream());
    }

    public static RespConnection open(int port) {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS_MAX);
            socket.setSoTimeout(READ_MILLIS_MAX);
            return new RespConnection(socket);
        } catch (IOException e) {
            closeQuietly(socket);
            throw new UncheckedIOException("No connection to port " + port, e);
        }
    }

    /** One command, one reply. */
    public Answer call(List<String> words) {
        send(request(words));
        return read();
    }

    public Answer call(String... words) {
        return call(List.of(words));
    }

    /** All commands in one write, then all replies. */
    public List<Answer> pipeline(List<List<String>> commands) {
        StringBuilder bytes = new StringBuilder();
        commands.forEach(words -> bytes.append(request(words)));
        send(bytes.toString());
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < commands.size(); i++) {
            answers.add(read());
        }
        return answers;
    }

    /** A command as a client writes it: an array of bulk strings. */
    public static String request(List<String> words) {
        StringBuilder out = new StringBuilder("*").append(words.size()).append("\r\n");
        for (String word : words) {
            out.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        return out.toString();
    }

    /** Exactly these bytes, flushed. */
    public void send(String bytes) {
        try {
            out.write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not send", e);
        }
    }

    public Answer read() {
        try {
            return reader.read();
        } catch (IOException e) {
            throw new UncheckedIOException("No reply", e);
        }
    }

    /** Reads replies until the server closes; what it still said stands in the list. */
    public List<Answer> readUntilClosed() {
        List<Answer> answers = new ArrayList<>();
        try {
            while (true) {
                answers.add(reader.read());
            }
        } catch (EOFException | SocketException e) {
            return answers;
        } catch (IOException e) {
            throw new UncheckedIOException("The server did not close; it said " + answers, e);
        }
    }

    /** Closes the sending side, as a client does that disconnects in the middle. */
    public void finishSending() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not half-close", e);
        }
    }

    public InputStream rawInput() throws IOException {
        return socket.getInputStream();
    }

    @Override
    public void close() {
        closeQuietly(socket);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not close", e);
        }
    }
}
