package io.polytable.benchmarks.sql;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;

/** Clients with persistent HTTP connections, one statement in flight each. */
final class HttpLoad {
    private static final int CONNECTIONS = 16;
    private static final byte[] LENGTH = "content-length: ".getBytes(StandardCharsets.US_ASCII);

    private final int port;

    HttpLoad(int port) {
        this.port = port;
    }

    /** Statements per second; the body of each is derived from its number. */
    double run(long statements, LongFunction<String> body) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        long each = statements / CONNECTIONS;
        long begun = System.nanoTime();
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            long first = i * each;
            running.add(threads.submit(() -> {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    socket.setTcpNoDelay(true);
                    InputStream in = new BufferedInputStream(socket.getInputStream());
                    OutputStream out = socket.getOutputStream();
                    for (long number = first; number < first + each; number++) {
                        ask(in, out, body.apply(number));
                    }
                }
                return null;
            }));
        }
        for (Future<?> one : running) {
            one.get();
        }
        threads.shutdown();
        return each * CONNECTIONS / ((System.nanoTime() - begun) / 1e9);
    }

    /** One statement whose result is ignored. */
    void once(String body) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            ask(new BufferedInputStream(socket.getInputStream()), socket.getOutputStream(), body);
        }
    }

    static String body(String sql, String parameters) {
        return "{\"sql\": \"" + sql + "\", \"params\": [" + parameters + "]}";
    }

    private static void ask(InputStream in, OutputStream out, String body) throws IOException {
        String request =
                "POST /v1/api/sql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body;
        out.write(request.getBytes(StandardCharsets.UTF_8));
        String status = line(in);
        int length = 0;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            if (header.regionMatches(true, 0, new String(LENGTH, StandardCharsets.US_ASCII), 0, LENGTH.length)) {
                length = Integer.parseInt(header.substring(LENGTH.length).strip());
            }
        }
        byte[] answer = in.readNBytes(length);
        if (!status.contains(" 200 ")) {
            throw new IOException(status + ": " + new String(answer, StandardCharsets.UTF_8));
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("The server closed the connection");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }
}
