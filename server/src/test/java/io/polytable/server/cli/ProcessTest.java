package io.polytable.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server as a process: output, exit codes, signals. */
@Timeout(120)
class ProcessTest {
    @TempDir
    private Path directory;

    @Test
    void servesUntilItIsToldToStop() throws IOException, InterruptedException {
        try (ServerProcess server = serve()) {
            String ready = server.readyLine();
            assertThat(ready).matches("polytable ready redis=\\d+ http=\\d+ data=" + data() + " in \\d+ ms");
            server.terminate();
            ServerProcess.Ended ended = server.end();
            assertThat(ended.err()).isEmpty();
            assertThat(ended.code()).isZero();
            assertThat(data().resolve("polytable.server")).doesNotExist();
        }
    }

    @Test
    void oneServerForADirectoryAndCommandsBesideItOrWithoutIt() throws IOException, InterruptedException {
        String backup = directory.resolve("backup").toString();
        try (ServerProcess first = serve()) {
            String ready = first.readyLine();
            try (ServerProcess second = serve()) {
                refused(
                        second,
                        "polytable: Another server (process " + first.pid() + ") uses the data directory " + data());
            }
            converse(ready, "SET a 1\r\n", "+OK\r\n");
            done(command("check", "--data.dir=" + data()), "Checked 1 Redis keys");
            done(command("backup", "--data.dir=" + data(), backup), "Backed up " + data() + " to " + backup);
            converse(ready, "SET b 2\r\n", "+OK\r\n");
            first.kill();
        }
        assertThat(data().resolve("polytable.server")).exists();
        done(command("check", "--data.dir=" + data()), "Checked 2 Redis keys");
        Path other = directory.resolve("other");
        done(command("restore", backup, "--data.dir=" + other), "Restored " + backup + " to " + other);
        done(command("check", "--data.dir=" + other), "Checked 1 Redis keys");
        try (ServerProcess again = serve()) {
            converse(again.readyLine(), "GET b\r\n", "$1\r\n2\r\n");
        }
    }

    @Test
    void anOperatorAsksRotatesTheLogAndStops() throws IOException, InterruptedException {
        Path log = directory.resolve("polytable.log");
        try (ServerProcess server = serve("--log.file=" + log, "--log.level=info", "--log.format=json")) {
            String ready = server.readyLine();
            assertThat(command("status", "--data.dir=" + data()).out())
                    .matches("polytable ready redis=" + ServerProcess.port("redis", ready) + " http=\\d+ pid="
                            + server.pid() + " uptime=\\d+s sessions=\\d+");
            done(
                    command("log-level", "info,io.polytable.sql=debug", "--data.dir=" + data()),
                    "info,io.polytable.sql=debug");
            refused(
                    command("log-level", "loud", "--data.dir=" + data()),
                    "polytable: log.level must be one of off, error, warn, info, debug, trace,"
                            + " and PACKAGE=LEVEL for packages, separated by commas");
            Path rotated = directory.resolve("polytable.log.1");
            Files.move(log, rotated);
            server.signal("HUP");
            assertThat(rotated)
                    .content()
                    .contains("pid=" + server.pid(), " rows=", " blocks=", "polytable ready redis=");
            // Under nohup the signal stays ignored, as whoever started the server wanted it.
            boolean ignored = server.ignoresHangUp();
            if (!ignored) {
                Await.until("the log file is opened again", () -> Files.exists(log) && Files.size(log) > 0);
                assertThat(Files.readAllLines(log))
                        .singleElement()
                        .asString()
                        .startsWith("{")
                        .contains("the log file was opened again");
            }
            converse(ready, "PING\r\n", "+PONG\r\n");
            done(command("stop", "--data.dir=" + data()), "Stopped process " + server.pid());
            assertThat(server.end().code()).isZero();
            assertThat(ignored ? rotated : log).content().contains("The server is stopping", "The server has stopped");
        }
        refused(
                command("status", "--data.dir=" + data()),
                "polytable: No server runs on " + data() + "; polytable serve starts one");
    }

    @Test
    void aPortInUseIsOneSentence() throws IOException, InterruptedException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerProcess server = serve("--http.port=" + taken.getLocalPort())) {
            refused(
                    server,
                    "polytable: Cannot listen on 127.0.0.1 port " + taken.getLocalPort()
                            + " (Address already in use); http.port chooses another");
        }
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerProcess server = serve("--redis.port=" + taken.getLocalPort())) {
            refused(
                    server,
                    "polytable: Cannot listen on 127.0.0.1 port " + taken.getLocalPort()
                            + " (Address already in use); redis.port chooses another");
        }
    }

    @Test
    void aDirectoryThatCannotBeWrittenIsOneSentence() throws IOException, InterruptedException {
        Path file = Files.createFile(directory.resolve("file"));
        try (ServerProcess server = serve("--data.dir=" + file.resolve("below"))) {
            ServerProcess.Ended ended = server.end();
            assertThat(ended.code()).isEqualTo(1);
            assertThat(ended.err().lines())
                    .singleElement()
                    .asString()
                    .startsWith("polytable: The data directory " + file.resolve("below") + " cannot be created: ");
        }
    }

    @Test
    void configShowsEverySpellingAndHidesSecrets() throws IOException, InterruptedException {
        Files.writeString(directory.resolve("polytable.properties"), "redis.maxclients=7\n");
        try (ServerProcess config = ServerProcess.start(
                Map.of("REDIS_REQUIREPASS", "hunter2"), "config", "--data.dir=" + directory, "--redis.port=7000")) {
            ServerProcess.Ended ended = config.end();
            assertThat(ended.out().lines())
                    .contains(
                            "redis.port = 7000 (from the command line (--redis.port))",
                            "redis.requirepass = (hidden) (from the environment (REDIS_REQUIREPASS))",
                            "redis.maxclients = 7 (from " + directory + "/polytable.properties line 1)",
                            "redis.databases = 16");
            assertThat(ended.out()).doesNotContain("hunter2");
            assertThat(ended.code()).isZero();
        }
    }

    private ServerProcess serve(String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of("serve", "--data.dir=" + data()));
        words.addAll(List.of("--redis.port=0", "--hbase.enabled=false", "--http.port=0"));
        words.addAll(Arrays.asList(more));
        return ServerProcess.start(Map.of(), words.toArray(String[]::new));
    }

    private static ServerProcess.Ended command(String... words) throws IOException, InterruptedException {
        try (ServerProcess process = ServerProcess.start(Map.of(), words)) {
            return process.end();
        }
    }

    private static void done(ServerProcess.Ended ended, String line) {
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out().lines()).contains(line);
        assertThat(ended.code()).isZero();
    }

    private static void converse(String readyLine, String command, String reply) throws IOException {
        int port = ServerProcess.port("redis", readyLine);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(reply.length());
            assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo(reply);
        }
    }

    private Path data() {
        return directory.resolve("data");
    }

    private static void refused(ServerProcess process, String sentence) throws IOException, InterruptedException {
        refused(process.end(), sentence);
    }

    private static void refused(ServerProcess.Ended ended, String sentence) {
        assertThat(ended.err()).isEqualTo(sentence);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.code()).isEqualTo(1);
    }
}
