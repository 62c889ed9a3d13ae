package io.polytable.redis.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.polytable.table.Bytes;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.FreePort;
import io.polytable.table.testkit.Program;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real redis-server on a free port and one connection to it, which answers in the form of {@link PlainReply}. */
public class RedisPeer implements AutoCloseable {
    private static final int SOCKET_TIMEOUT_MILLIS = 120_000;

    private final Process process;
    private final Socket socket;
    private final InputStream in;

    private RedisPeer(Process process, Socket socket) throws IOException {
        this.process = process;
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    public static RedisPeer start(Path directory, String... options) throws IOException {
        return startOn(FreePort.find(), directory, options);
    }

    /** Starts it where an earlier one was. */
    public static RedisPeer startOn(int port, Path directory, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Program.REDIS_SERVER.require().toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--enable-debug-command",
                "yes",
                // Otherwise a primary waits 5 seconds for further replicas.
                "--repl-diskless-sync-delay",
                "0",
                "--dir",
                directory.toString()));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("redis.log").toFile())
                .start();
        return new RedisPeer(process, connect(port));
    }

    /** Another connection to it. */
    public RedisPeer another() throws IOException {
        return new RedisPeer(process, connect(port())) {
            @Override
            public void close() throws IOException {
                disconnect();
            }
        };
    }

    void disconnect() throws IOException {
        socket.close();
    }

    /** Where further clients connect. */
    public int port() {
        return socket.getPort();
    }

    private static Socket connect(int port) throws IOException {
        Await.until("redis-server accepts connections", () -> accepts(port));
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static boolean accepts(int port) {
        try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return probe.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Ends it as a power failure of its machine would, without a word. */
    public void kill() throws IOException {
        process.destroyForcibly();
        process.onExit().join();
        socket.close();
    }

    public Object run(String... words) {
        return run(List.of(words).stream().map(Bytes::utf8).toList());
    }

    public Object run(List<Bytes> words) {
        try {
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            request.writeBytes(("*" + words.size() + "\r\n").getBytes(ISO_8859_1));
            for (Bytes word : words) {
                request.writeBytes(("$" + word.length() + "\r\n").getBytes(ISO_8859_1));
                request.writeBytes(word.toByteArray());
                request.writeBytes("\r\n".getBytes(ISO_8859_1));
            }
            socket.getOutputStream().write(request.toByteArray());
            return read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Object read() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> "error: " + rest;
            case ':' -> Long.parseLong(rest);
            case ',' -> PlainReply.ofDouble(rest);
            case '_' -> PlainReply.ABSENT;
            case '$' -> bulk(Integer.parseInt(rest));
            case '*', '~' -> list(Integer.parseInt(rest));
            case '%' -> list(2 * Integer.parseInt(rest));
            default -> throw new IOException("unknown reply " + line);
        };
    }

    private Object bulk(int length) throws IOException {
        if (length < 0) {
            return PlainReply.ABSENT;
        }
        byte[] bytes = in.readNBytes(length);
        in.skipNBytes(2);
        return Bytes.of(bytes);
    }

    private Object list(int size) throws IOException {
        if (size < 0) {
            return PlainReply.ABSENT_ARRAY;
        }
        List<Object> items = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            items.add(read());
        }
        return items;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\r'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("connection ended");
            }
            line.append((char) b);
        }
        in.skipNBytes(1);
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
