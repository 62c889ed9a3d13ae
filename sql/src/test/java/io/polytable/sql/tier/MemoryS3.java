package io.polytable.sql.tier;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Objects in memory behind the few calls of S3's protocol that a storage makes, with faults to inject. */
final class MemoryS3 implements AutoCloseable {
    private final Map<String, byte[]> objects = new ConcurrentSkipListMap<>();
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);

    /** Changes the bytes of downloads. */
    volatile UnaryOperator<byte[]> transit = bytes -> bytes;

    volatile boolean away;
    final AtomicInteger downloads = new AtomicInteger();

    MemoryS3() throws IOException {
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", this::answer);
        server.start();
    }

    String definition(String id) {
        return "CREATE STORAGE " + id + " TYPE s3 WITH (bucket = 'tables', endpoint = 'http://127.0.0.1:"
                + server.getAddress().getPort() + "', access_key = 'a', secret_key = 'b')";
    }

    long parquetFiles() {
        return objects.keySet().stream().filter(key -> key.endsWith(".parquet")).count();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            byte[] sent = exchange.getRequestBody().readAllBytes();
            if (away) {
                exchange.sendResponseHeaders(403, -1);
                return;
            }
            switch (exchange.getRequestMethod()) {
                case "PUT" -> put(exchange, path, sent);
                case "DELETE" -> {
                    objects.remove(path);
                    exchange.sendResponseHeaders(204, -1);
                }
                case "HEAD" -> head(exchange, path);
                default -> get(exchange, path);
            }
        }
    }

    private void put(HttpExchange exchange, String path, byte[] sent) throws IOException {
        String kind = String.valueOf(exchange.getRequestHeaders().getFirst("x-amz-content-sha256"));
        objects.put(path, kind.startsWith("STREAMING") ? unframed(sent) : sent);
        exchange.sendResponseHeaders(200, -1);
    }

    /** Chunks, each after a line with its length in hexadecimal digits. */
    private static byte[] unframed(byte[] framed) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        int at = 0;
        while (true) {
            int end = at;
            while (framed[end] != '\r') {
                end++;
            }
            String line = new String(framed, at, end - at, StandardCharsets.US_ASCII);
            int length = Integer.parseInt(line.split(";", 2)[0], 16);
            if (length == 0) {
                return content.toByteArray();
            }
            content.write(framed, end + 2, length);
            at = end + 2 + length + 2;
        }
    }

    private void head(HttpExchange exchange, String path) throws IOException {
        byte[] object = objects.get(path);
        if (object == null) {
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        exchange.getResponseHeaders().set("Content-Length", Integer.toString(object.length));
        exchange.getResponseHeaders().set("ETag", "\"" + Integer.toHexString(Arrays.hashCode(object)) + "\"");
        exchange.getResponseHeaders().set("x-amz-version-id", "v1");
        exchange.sendResponseHeaders(200, -1);
    }

    private void get(HttpExchange exchange, String path) throws IOException {
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        byte[] object = query.contains("list-type") ? list(query) : objects.get(path);
        if (object == null) {
            byte[] error = "<Error><Code>NoSuchKey</Code></Error>".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(404, error.length);
            exchange.getResponseBody().write(error);
            return;
        }
        byte[] body = path.endsWith(".parquet") ? transit.apply(object.clone()) : object;
        downloads.addAndGet(path.endsWith(".parquet") ? 1 : 0);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    private byte[] list(String query) {
        String prefix = Arrays.stream(query.split("&"))
                .filter(part -> part.startsWith("prefix="))
                .map(part -> part.substring("prefix=".length()))
                .findFirst()
                .orElse("");
        StringBuilder text = new StringBuilder("<ListBucketResult><IsTruncated>false</IsTruncated>");
        for (String key : objects.keySet()) {
            String name = key.substring("/tables/".length());
            if (name.startsWith(prefix)) {
                text.append("<Contents><Key>").append(name).append("</Key></Contents>");
            }
        }
        return text.append("</ListBucketResult>").toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
