package io.polytable.sql.tier.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class S3TimeoutsTest {
    private static final int BYTES = 30;

    @TempDir
    private Path directory = Path.of("");

    /** Sends the object a byte at a time, in about three seconds. */
    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestMethod().equals("HEAD")) {
                exchange.getResponseHeaders().set("Content-Length", Integer.toString(BYTES));
                exchange.sendResponseHeaders(200, -1);
                return;
            }
            exchange.sendResponseHeaders(200, BYTES);
            OutputStream body = exchange.getResponseBody();
            for (int i = 0; i < BYTES; i++) {
                body.write(i);
                body.flush();
                TimeUnit.MILLISECONDS.sleep(100);
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aLargeDownloadMayTakeLongerThanASmallOne() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", S3TimeoutsTest::answer);
        server.start();
        StorageDef def = new StorageDef(
                "cloud",
                StorageDef.Type.S3,
                "bucket",
                Map.of(
                        "endpoint",
                        "http://localhost:" + server.getAddress().getPort(),
                        "access_key",
                        "a",
                        "secret_key",
                        "b"),
                "",
                "",
                Instant.EPOCH);
        S3Storage.Timeouts timeouts = new S3Storage.Timeouts(Duration.ofSeconds(2), Duration.ofSeconds(1), 1);
        try (S3Storage storage = S3Storage.open(def, directory, timeouts)) {
            Path file = directory.resolve("fetched");
            storage.fetch("slow", file);
            assertThat(Files.size(file)).isEqualTo(BYTES);
        } finally {
            server.stop(0);
        }
    }
}
