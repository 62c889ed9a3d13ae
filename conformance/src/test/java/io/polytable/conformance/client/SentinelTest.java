package io.polytable.conformance.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.process.PolytableProcess;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.resp.RespConnection;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.FreePort;
import io.polytable.table.testkit.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Redis Sentinel watches a primary and a replica of ours, promotes the replica, and takes the old primary back. */
@Tag("peers")
class SentinelTest {
    @Test
    void aKilledPrimaryIsReplacedAndComesBackAsAReplica(@TempDir Path directory) throws IOException {
        Path server = Program.REDIS_SERVER.require();
        int port = FreePort.find();
        try (PolytableProcess first = PolytableProcess.start(Files.createDirectory(directory.resolve("first")));
                PolytableProcess second = PolytableProcess.start(Files.createDirectory(directory.resolve("second")))) {
            ask(second, "REPLICAOF", "127.0.0.1", Integer.toString(first.port()));
            ask(first, "SET", "before", "1");
            Process sentinel = start(server, directory, port, first.port());
            try {
                Await.until(
                        "the sentinel knows the replica",
                        () -> ask(port, "SENTINEL", "REPLICAS", "m").contains("master-link-status\r\n$2\r\nok"));
                first.kill();
                Await.until(
                        "the replica is promoted",
                        () -> ask(port, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", "m")
                                        .contains("\r\n" + second.port() + "\r\n")
                                && ask(second, "ROLE").contains("master"));
                assertThat(ask(second, "GET", "before")).isEqualTo("$1\r\n1\r\n");
                assertThat(ask(second, "SET", "after", "2")).isEqualTo("+OK\r\n");
                first.restart();
                Await.until(
                        "the old primary follows",
                        () -> ask(first, "GET", "after").equals("$1\r\n2\r\n"));
                assertThat(ask(first, "ROLE")).contains("slave", Integer.toString(second.port()));
            } finally {
                sentinel.destroyForcibly();
            }
        }
    }

    private static Process start(Path server, Path directory, int port, int primary) throws IOException {
        Path settings = directory.resolve("sentinel.conf");
        Files.writeString(settings, """
                port %d
                bind 127.0.0.1
                dir %s
                sentinel monitor m 127.0.0.1 %d 1
                sentinel down-after-milliseconds m 2000
                sentinel failover-timeout m 10000
                """.formatted(port, directory, primary));
        Process sentinel = new ProcessBuilder(server.toString(), settings.toString(), "--sentinel")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("sentinel.log").toFile())
                .start();
        Await.until("the sentinel listens", () -> ask(port, "PING").equals("+PONG\r\n"));
        return sentinel;
    }

    private static String ask(RespServer server, String... words) {
        return ask(server.port(), words);
    }

    private static String ask(int port, String... words) {
        try (RespConnection connection = RespConnection.open(port)) {
            return connection.call(words).bytes();
        }
    }
}
