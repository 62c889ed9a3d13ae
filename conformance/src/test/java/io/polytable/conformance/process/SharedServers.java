package io.polytable.conformance.process;

import io.polytable.conformance.resp.Resp;
import io.polytable.conformance.resp.RespConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The servers that the classes of a test run share, so that each of them is started once: at its first use, and stopped
 * when the run is over. Every class that asks for one gets it without keys, with its first settings and statistics.
 *
 * <p>A test class takes it as a parameter, see {@link OnSharedServers}. Nobody but the run closes these servers.
 */
public final class SharedServers implements AutoCloseable {
    /** The password of the servers that have one. */
    public static final String PASSWORD = "s3cret";

    private final Path directory;
    private final Map<String, Started> servers = new HashMap<>();

    private record Started(RespServer server, Map<String, String> settings) {}

    SharedServers() {
        try {
            directory = Files.createTempDirectory("polytable-shared-servers");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The server without a password. */
    public RespServer of(Target target) {
        String name = target.name();
        Started started = started(name);
        if (started == null) {
            RespServer server = target.start(directory.resolve(name));
            started = remember(name, server);
        }
        reset(started);
        return started.server;
    }

    /** The server with {@link #PASSWORD}; its keys and settings stay as the last user left them. */
    public RespServer withPassword(Target target) {
        String name = target.name() + "-locked";
        Started started = started(name);
        if (started == null) {
            RespServer server = target.startWithPassword(directory.resolve(name), PASSWORD);
            started = new Started(server, Map.of());
            servers.put(name, started);
        }
        return started.server;
    }

    /** The reference and our server, both without a password. */
    public BothServers both() {
        return new BothServers(of(Target.REFERENCE), of(Target.POLYTABLE));
    }

    private @Nullable Started started(String name) {
        return servers.get(name);
    }

    private Started remember(String name, RespServer server) {
        try (RespConnection connection = server.connect()) {
            Started started = new Started(server, settings(connection));
            servers.put(name, started);
            return started;
        }
    }

    private static void reset(Started started) {
        try (RespConnection connection = started.server.connect()) {
            connection.call("FLUSHALL");
            settings(connection).forEach((name, value) -> {
                String first = started.settings.getOrDefault(name, value);
                if (!first.equals(value)) {
                    connection.call("CONFIG", "SET", name, first);
                }
            });
            connection.call("CONFIG", "RESETSTAT");
        }
    }

    private static Map<String, String> settings(RespConnection connection) {
        Map<String, String> settings = new HashMap<>();
        List<Resp> namesAndValues = connection.call("CONFIG", "GET", "*").tree().items();
        for (int i = 0; i < namesAndValues.size(); i += 2) {
            settings.put(namesAndValues.get(i).text(), namesAndValues.get(i + 1).text());
        }
        return settings;
    }

    @Override
    public void close() throws IOException {
        servers.values().forEach(started -> started.server.close());
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
