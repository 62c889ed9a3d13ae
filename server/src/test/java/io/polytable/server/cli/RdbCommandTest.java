package io.polytable.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.setting.CommandLineWords;
import io.polytable.frontend.setting.Settings;
import io.polytable.server.assembly.Assembly;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.run.Server;
import io.polytable.table.testkit.FreePort;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** import-rdb, export-rdb and SAVE, with a server and without one. */
@Timeout(120)
@ResourceLock(Resources.SYSTEM_ERR)
@ResourceLock(Resources.SYSTEM_OUT)
class RdbCommandTest {
    @TempDir
    private Path directory = Path.of("");

    private final int port = FreePort.find();
    private Optional<Server> server = Optional.empty();

    private record Outcome(int code, String out, String err) {}

    @AfterEach
    void stop() {
        server.ifPresent(Server::stop);
        server = Optional.empty();
    }

    private String[] words(String data, String... first) {
        List<String> words = new ArrayList<>(List.of(first));
        words.addAll(List.of(
                "--data.dir=" + directory.resolve(data),
                "--hbase.enabled=false",
                "--sql.enabled=false",
                "--http.port=0",
                "--redis.port=" + port,
                "--memory.rows=32mb",
                "--memory.blocks=128mb"));
        return words.toArray(String[]::new);
    }

    private void serve(String data) {
        server = Optional.of(start(data, port));
    }

    private Server start(String data, int redisPort) {
        List<String> words = new ArrayList<>(List.of(words(data)));
        words.replaceAll(word -> word.equals("--redis.port=" + port) ? "--redis.port=" + redisPort : word);
        CommandLineWords settings = CommandLineWords.of(ServerCatalog.get(), words);
        return Server.start(Settings.load(ServerCatalog.get(), settings, Map.of()), Assembly.parts(), () -> {});
    }

    /** One line of the reply of an inline command, or its bulk string. */
    private String ask(String command) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            String line = reader.readLine();
            return line.startsWith("$") && !line.equals("$-1") ? reader.readLine() : line;
        }
    }

    private Outcome run(String... words) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        ByteArrayOutputStream complained = new ByteArrayOutputStream();
        System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
        try {
            int code = PolytableCommand.run(Assembly.parts(), words);
            return new Outcome(
                    code, written.toString(StandardCharsets.UTF_8), complained.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    private void done(String text, String... words) {
        Outcome outcome = run(words);
        assertThat(outcome.code()).as("%s", outcome).isZero();
        assertThat(outcome.out()).contains(text);
    }

    @Test
    void keysTravelAsAFileWithAndWithoutAServer() throws IOException {
        Path file = directory.resolve("keys.rdb");
        Path again = directory.resolve("again.rdb");
        serve("one");
        ask("set greeting hello");
        ask("set brief moment pxat 4000000000000");
        ask("rpush todo a b c");
        done("Exported 3 keys to " + file, words("one", "export-rdb", file.toString()));
        ask("del greeting todo");
        ask("set brief changed");
        done("Imported 3 keys from " + file, words("one", "import-rdb", file.toString()));
        assertThat(ask("get greeting")).isEqualTo("hello");
        assertThat(ask("pexpiretime brief")).isEqualTo(":4000000000000");
        stop();

        done("Exported 3 keys to " + again, words("one", "export-rdb", again.toString()));
        done("Imported 3 keys from " + again, words("two", "import-rdb", again.toString()));
        serve("two");
        assertThat(ask("llen todo")).isEqualTo(":3");
        assertThat(ask("get brief")).isEqualTo("moment");
        assertThat(ask("dbsize")).isEqualTo(":3");
    }

    @Test
    void keysMoveFromARunningServer() throws IOException {
        int sourcePort = FreePort.find();
        String source = "127.0.0.1:" + sourcePort;
        Server from = start("source", sourcePort);
        try {
            serve("one");
            done("0 keys are the same", words("one", "import-redis", source));
            assertThat(ask("set greeting hello")).startsWith("-READONLY");
            done("this server is a primary now", words("one", "import-redis", source, "--cut-over"));
            assertThat(ask("set greeting hello")).isEqualTo("+OK");
            Outcome refused = run(words("one", "import-redis", source));
            assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
            assertThat(refused.err()).contains("--replace");
            Outcome differs = run(words("one", "import-redis", source, "--copy"));
            assertThat(differs.code()).isEqualTo(ExitCode.REFUSED);
            assertThat(differs.err()).contains("key \"greeting\" of database 0 is not in the source");
            ask("del greeting");
            done("0 keys are the same, value by value; copied from", words("one", "import-redis", source, "--copy"));
        } finally {
            from.stop();
        }
        Outcome unreachable = run(words("one", "import-redis", source));
        assertThat(unreachable.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(unreachable.err()).contains("cannot be followed");
        Outcome malformed = run(words("one", "import-redis", "nowhere"));
        assertThat(malformed.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(malformed.err()).contains("nowhere is not HOST:PORT");
    }

    @Test
    void filesThatCannotBeAreRefusedWithTheReason() throws IOException {
        Path damaged = directory.resolve("damaged.rdb");
        serve("one");
        ask("set greeting hello");
        run(words("one", "export-rdb", damaged.toString()));
        byte[] bytes = Files.readAllBytes(damaged);
        bytes[bytes.length - 12] ^= 1;
        Files.write(damaged, bytes);
        for (int round = 0; round < 2; round++) {
            Outcome outcome = run(words("one", "import-rdb", damaged.toString()));
            assertThat(outcome.code()).isEqualTo(ExitCode.REFUSED);
            assertThat(outcome.err()).contains("its checksum is wrong");
            Outcome absent =
                    run(words("one", "import-rdb", directory.resolve("none").toString()));
            assertThat(absent.code()).isEqualTo(ExitCode.REFUSED);
            assertThat(absent.err()).contains("no such file or directory");
            Outcome folder = run(
                    words("one", "export-rdb", directory.resolve("no/folder").toString()));
            assertThat(folder.code()).isEqualTo(ExitCode.REFUSED);
            // Once by the server, once without it.
            stop();
        }
    }

    @Test
    void saveWritesTheFileThatTheSettingsName() throws IOException {
        serve("one");
        ask("set greeting hello");
        assertThat(ask("config set dbfilename ../keys.rdb")).contains("can't be a path, just a filename");
        assertThat(ask("config set dbfilename keys.rdb")).isEqualTo("+OK");
        assertThat(ask("save")).isEqualTo("+OK");
        Path file = directory.resolve("one/keys.rdb");
        assertThat(Files.size(file)).isPositive();
        ask("flushall");
        done("Imported 1 keys", words("one", "import-rdb", file.toString()));
        assertThat(ask("get greeting")).isEqualTo("hello");
    }
}
