package io.polytable.server.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.setting.Settings;
import io.polytable.server.cli.PolytableCommand;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.run.Server;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.fluss.ClusterProcess;
import io.polytable.store.fluss.FlussCluster;
import io.polytable.store.fluss.FlussLog;
import io.polytable.store.fluss.FlussLogOptions;
import io.polytable.store.fluss.FlussSettings;
import io.polytable.store.fluss.TestCluster;
import io.polytable.table.StoreException;
import io.polytable.table.testkit.Await;
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
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole server with its log in a real Fluss cluster. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@ResourceLock(Resources.SYSTEM_OUT)
class FlussServerTest {
    @TempDir
    Path directory;

    private Settings settings(int redisPort, String... more) {
        List<String> words = new ArrayList<>(List.of(
                "--data.dir=" + directory,
                "--store.log=fluss",
                "--fluss.bootstrap.servers=" + TestCluster.shared().bootstrapServers(),
                "--fluss.answer.timeout=5s",
                // The readable tables have tests of their own.
                "--fluss.projection.enabled=false",
                "--fluss.lease.time=2s",
                "--redis.port=" + redisPort,
                "--hbase.enabled=false",
                "--http.port=0",
                "--memory.rows=32mb",
                "--memory.blocks=128mb"));
        words.addAll(List.of(more));
        return ServerCatalog.load(words, Map.of());
    }

    private static Server start(Settings settings) {
        return Server.start(settings, Assembly.parts(), () -> {});
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "false"})
    void servesRedisFromALogInFluss(String sharding) throws IOException {
        String database = "--fluss.database=serves_" + sharding;
        String mode = "--redis.sharding.enabled=" + sharding;
        Server first = start(settings(0, database, mode));
        assertThat(say(first.port("redis"), "SET greeting hello")).isEqualTo("+OK");
        assertThat(say(first.port("redis"), "ZADD board 3 carol")).isEqualTo(":1");
        assertThat(first.stop()).isTrue();
        Server again = start(settings(0, database, mode));
        assertThat(say(again.port("redis"), "GET greeting")).isEqualTo("$5 hello");
        assertThat(say(again.port("redis"), "ZSCORE board carol")).isEqualTo("$1 3");
        assertThat(again.stop()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void whatWasNeverAcknowledgedIsTakenBack(int partitions) throws IOException, InterruptedException {
        int port = FreePort.find();
        String[] several = {"--fluss.database=taken_back_" + partitions, "--fluss.log.groups=" + partitions};
        Server server = start(settings(port, several));
        assertThat(say(port, "SET kept before")).isEqualTo("+OK");
        ClusterProcess fluss = TestCluster.shared().tabletServer(0);
        fluss.pause();
        String unacknowledged;
        try {
            unacknowledged = say(port, "SET kept during");
        } finally {
            fluss.resume();
        }
        assertThat(unacknowledged)
                .as("the connection is closed without a reply")
                .isEmpty();
        String kept = sayWhenServed(port, "GET kept");
        assertThat(kept).isIn("$6 before", "$6 during");
        assertThat(say(port, "SET kept after")).isEqualTo("+OK");
        assertThat(server.stop()).isTrue();
        Server again = start(settings(port, several));
        assertThat(say(port, "GET kept")).isEqualTo("$5 after");
        assertThat(again.stop()).isTrue();
    }

    /** Its next write to the log fails, while connections are open. */
    @Test
    void aServerThatWasOvertakenAcknowledgesNothingAndComesBack() throws IOException, InterruptedException {
        int port = FreePort.find();
        Server server = start(settings(port, "--fluss.database=overtaken"));
        assertThat(say(port, "SET kept before")).isEqualTo("+OK");
        FlussSettings settings =
                FlussSettings.of(TestCluster.shared().bootstrapServers()).withDatabase("overtaken");
        try (Socket idle = new Socket(InetAddress.getLoopbackAddress(), port);
                FlussCluster cluster = FlussCluster.open(settings);
                FlussLog other = FlussLog.open(cluster, FlussLogOptions.of(0).withFormerOwner(owner()))) {
            assertThat(other.end()).as("commits that the other server found").isPositive();
            assertThat(sayIfServed(port, "SET kept during")).isEmpty();
            assertThat(idle.getInputStream().read())
                    .as("connections without a command are closed too")
                    .isEqualTo(-1);
        }
        assertThat(sayWhenServed(port, "GET kept")).isEqualTo("$6 before");
        assertThat(sayWhenServed(port, "SET kept after")).isEqualTo("+OK");
        assertThat(server.stop()).isTrue();
    }

    /** The number under which the server owns its log. */
    private Optional<Long> owner() throws IOException {
        Path file = StoreDirectory.logOf(directory.resolve("store")).resolve("fluss.properties");
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("owner="))
                .map(line -> Long.parseLong(line.substring("owner=".length())))
                .findFirst();
    }

    /** The reply; empty if the server does not listen, or closed the connection instead. */
    private static String sayIfServed(int port, String command) {
        try {
            return say(port, command);
        } catch (IOException refused) {
            return "";
        }
    }

    @Test
    void aDirectoryMovesToFlussAndBack() throws IOException {
        String fluss = "--fluss.database=moved";
        String[] files = {fluss, "--store.log=file", "--redis.sharding.enabled=false"};
        String[] inFluss = {fluss, "--redis.sharding.enabled=false"};
        Server before = start(settings(0, files));
        assertThat(say(before.port("redis"), "SET city Lisbon")).isEqualTo("+OK");
        assertThat(before.stop()).isTrue();
        String[] hint = move("fluss", fluss).split(" ");
        assertThat(hint).contains("--store.log=fluss", "--redis.sharding.enabled=false");
        Server moved = start(settings(0, inFluss));
        assertThat(say(moved.port("redis"), "GET city")).isEqualTo("$6 Lisbon");
        assertThat(say(moved.port("redis"), "SET river Tagus")).isEqualTo("+OK");
        assertThat(moved.stop()).isTrue();
        Path elsewhere = directory.resolve("elsewhere");
        Server onAnEmptyDisk = start(settings(0, fluss, "--redis.sharding.enabled=false", "--data.dir=" + elsewhere));
        assertThat(say(onAnEmptyDisk.port("redis"), "GET city")).isEqualTo("$6 Lisbon");
        assertThat(say(onAnEmptyDisk.port("redis"), "GET river")).isEqualTo("$5 Tagus");
        assertThat(onAnEmptyDisk.stop()).isTrue();
        assertThatThrownBy(() -> start(settings(0, files))).hasMessageContaining("has its log in Fluss");
        move("file", fluss);
        Server back = start(settings(0, files));
        assertThat(say(back.port("redis"), "GET river")).isEqualTo("$5 Tagus");
        assertThat(back.stop()).isTrue();
        assertThatThrownBy(() -> start(settings(0, inFluss))).hasMessageContaining("has its log in files");
    }

    /** What it prints. */
    private String move(String to, String database) {
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            int code = PolytableCommand.run(
                    Assembly.parts(),
                    "move",
                    "--to",
                    to,
                    "--data.dir=" + directory,
                    "--fluss.bootstrap.servers=" + TestCluster.shared().bootstrapServers(),
                    "--memory.rows=32mb",
                    "--memory.blocks=128mb",
                    database);
            assertThat(code).isZero();
            return printed.toString(StandardCharsets.UTF_8).strip();
        } finally {
            System.setOut(out);
        }
    }

    /** Nothing listens on port 1. */
    @Test
    void aClusterThatIsNotThereIsOneSentence() {
        assertThatThrownBy(() -> start(settings(0, "--fluss.bootstrap.servers=127.0.0.1:1")))
                .isInstanceOf(StoreException.class)
                .message()
                .startsWith("No Fluss cluster is reachable; start it, or correct fluss.bootstrap.servers {")
                .contains("servers=127.0.0.1:1")
                .doesNotContain("Exception", "\n");
    }

    /** While the store is rebuilt nobody listens. */
    private static String sayWhenServed(int port, String command) {
        AtomicReference<String> reply = new AtomicReference<>("");
        Await.until("the server replies", () -> {
            try {
                reply.set(say(port, command));
            } catch (IOException notYet) {
                return false;
            }
            return !Objects.requireNonNull(reply.get()).isEmpty();
        });
        return Objects.requireNonNull(reply.get());
    }

    /** The reply's lines, joined; empty when the connection was closed instead. */
    private static String say(int port, String command) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            String line = in.readLine();
            if (line == null) {
                return "";
            }
            return line.startsWith("$") && !line.equals("$-1") ? line + " " + in.readLine() : line;
        }
    }
}
