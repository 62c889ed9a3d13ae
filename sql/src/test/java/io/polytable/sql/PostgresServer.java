package io.polytable.sql;

import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real PostgreSQL on a free port of this machine, with nothing in it. */
final class PostgresServer implements AutoCloseable {
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");
    private static final int START_SECONDS_MAX = 60;

    private final Path directory;
    private final Process process;
    private final int port;

    private PostgresServer(Path directory, Process process, int port) {
        this.directory = directory;
        this.process = process;
        this.port = port;
    }

    /** The programs of the newest version that is installed, if one is. */
    static Optional<Path> programs() {
        if (!Files.isDirectory(INSTALLED)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(INSTALLED)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .max(Comparator.naturalOrder());
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    static PostgresServer start(Path programs) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("postgres");
        boolean root = System.getProperty("user.name").equals("root");
        if (root) {
            run(List.of("chown", "postgres", directory.toString()));
        }
        Path data = directory.resolve("data");
        run(asServerUser(
                root,
                programs.resolve("initdb").toString(),
                "-D",
                data.toString(),
                "-A",
                "trust",
                "-U",
                "postgres",
                "-E",
                "UTF8",
                "--locale=C",
                "--lc-ctype=C.UTF-8",
                "--no-sync"));
        int port = FreePort.find();
        Process process = new ProcessBuilder(asServerUser(
                        root,
                        programs.resolve("postgres").toString(),
                        "-D",
                        data.toString(),
                        "-p",
                        Integer.toString(port),
                        "-k",
                        directory.toString(),
                        "-h",
                        "127.0.0.1",
                        "-c",
                        "fsync=off",
                        "-c",
                        "timezone=UTC"))
                .redirectErrorStream(true)
                .redirectOutput(directory
                        .resolveSibling(directory.getFileName() + ".log")
                        .toFile())
                .start();
        PostgresServer server = new PostgresServer(directory, process, port);
        server.awaitStart();
        return server;
    }

    /** PostgreSQL refuses to run as root. */
    private static List<String> asServerUser(boolean root, String... command) {
        List<String> words = new ArrayList<>();
        if (root) {
            words.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        }
        words.addAll(List.of(command));
        return words;
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!process.waitFor(START_SECONDS_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(command + " failed");
        }
    }

    private void awaitStart() throws IOException, InterruptedException {
        Await.until("PostgreSQL answers or has ended", () -> !process.isAlive() || isAnswering());
        if (!isAnswering()) {
            close();
            throw new IOException("PostgreSQL does not start");
        }
    }

    private boolean isAnswering() {
        try {
            connect().close();
            return true;
        } catch (SQLException notYet) {
            return false;
        }
    }

    /** A connection that sends statements as they are. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port
                + "/postgres?user=postgres&preferQueryMode=simple&options=-c%20TimeZone=UTC");
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(directory.resolveSibling(directory.getFileName() + ".log"));
    }
}
