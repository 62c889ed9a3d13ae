package io.polytable.conformance.process;

import io.polytable.conformance.resp.RespConnection;
import io.polytable.table.testkit.FreePort;
import io.polytable.table.testkit.Program;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
        this.port = FreePort.find();
        this.child = launch();
    }

    /** Starts one, or skips the calling test when there is no redis-server here. */
    public static RedisServerProcess start(Path directory, String... options) {
        RedisServerProcess server = new RedisServerProcess(Program.REDIS_SERVER.require(), directory, List.of(options));
        // The port was free when it was picked; somebody may have taken it since.
        for (int i = 1; i < TRIES && !server.answers(); i++) {
            server.port = FreePort.find();
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
