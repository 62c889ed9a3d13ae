package io.polytable.conformance.process;

import io.polytable.conformance.resp.RespConnection;
import java.io.File;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** The reference server: a real redis-server, without persistence. */
public final class RedisServerProcess implements RespServer {
    private static final int TRIES = 3;

    private final Path binary;
    private final Path directory;
    private final List<String> options;
    private ChildProcess child;
    private int port;

    private RedisServerProcess(Path binary, Path directory, List<String> options) {
        this.binary = binary;
        this.directory = directory;
        this.options = options;
        this.port = FreePort.pick();
        this.child = launch();
    }

    /** Starts one, or skips the calling test when there is no redis-server here. */
    public static RedisServerProcess start(Path directory, String... options) {
        Optional<Path> binary = find();
        if (binary.isEmpty() && !Boolean.getBoolean("polytable.ci")) {
            Assumptions.abort("Skipped: no redis-server on the PATH to compare with.");
        }
        Path found = binary.orElseThrow(() -> new AssertionError("No redis-server on the PATH to compare with"));
        RedisServerProcess server = new RedisServerProcess(found, directory, List.of(options));
        // The port was free when it was picked; somebody may have taken it since.
        for (int i = 1; i < TRIES && !server.answers(); i++) {
            server.port = FreePort.pick();
            server.restart();
        }
        if (!server.answers()) {
            throw new AssertionError("redis-server does not start: " + server.child.lastOutput());
        }
        return server;
    }

    private ChildProcess launch() {
        List<String> command = new ArrayList<>(List.of(binary.toString(), "--port", Integer.toString(port)));
        command.addAll(
                List.of("--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", directory.toString()));
        command.addAll(options);
        ChildProcess launched = ChildProcess.start(command, directory);
        launched.await(this::answers);
        return launched;
    }

    private boolean answers() {
        try (RespConnection connection = RespConnection.open(port)) {
            // Any line will do: with requirepass the answer is an error.
            return !connection.call("PING").bytes().isEmpty();
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    private static Optional<Path> find() {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            Path candidate = Path.of(directory, "redis-server");
            if (Files.isExecutable(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** It keeps no data. */
    @Override
    public void restart() {
        child.stop();
        child = launch();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void close() {
        child.stop();
    }
}
