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

/** The reference: a real redis-server, without persistence. */
public final class RedisServerProcess implements RespServer {
    private static final int START_MILLIS_MAX = 10_000;
    private static final int TRIES = 3;

    private final ChildProcess child;
    private final int port;

    private RedisServerProcess(ChildProcess child, int port) {
        this.child = child;
        this.port = port;
    }

    /** Starts one, or skips the calling test when there is no redis-server here. */
    public static RedisServerProcess start(Path directory, String... options) {
        Optional<Path> binary = find();
        if (binary.isEmpty() && !Boolean.getBoolean("polytable.ci")) {
            Assumptions.abort("Skipped: no redis-server on the PATH to compare with.");
        }
        Path found = binary.orElseThrow(() -> new AssertionError("No redis-server on the PATH to compare with"));
        // The port was free when it was picked; somebody may have taken it since.
        for (int i = 1; i < TRIES; i++) {
            Optional<RedisServerProcess> started = tryStart(found, directory, options);
            if (started.isPresent()) {
                return started.get();
            }
        }
        return tryStart(found, directory, options).orElseThrow(() -> new AssertionError("redis-server does not start"));
    }

    private static Optional<RedisServerProcess> tryStart(Path binary, Path directory, String... options) {
        int port = FreePort.pick();
        List<String> command = new ArrayList<>(List.of(binary.toString(), "--port", Integer.toString(port)));
        command.addAll(
                List.of("--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", directory.toString()));
        command.addAll(List.of(options));
        ChildProcess child = ChildProcess.start(command, directory);
        if (child.await(() -> answers(port), START_MILLIS_MAX)) {
            return Optional.of(new RedisServerProcess(child, port));
        }
        child.stop();
        return Optional.empty();
    }

    private static boolean answers(int port) {
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

    @Override
    public int port() {
        return port;
    }

    @Override
    public void close() {
        child.stop();
    }
}
