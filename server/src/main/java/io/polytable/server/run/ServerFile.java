package io.polytable.server.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/** The address of the server of a data directory, stored there for commands on the same machine. */
public record ServerFile(long pid, String host, int httpPort) {
    private static final String FILE = "polytable.server";

    /** A server that listens on all addresses is reached through loopback. */
    static ServerFile of(InetAddress bound, int httpPort) {
        InetAddress reachable = bound.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound;
        return new ServerFile(ProcessHandle.current().pid(), reachable.getHostAddress(), httpPort);
    }

    void write(Path directory) throws IOException {
        Path fresh = directory.resolve(FILE + ".new");
        Files.write(fresh, List.of(Long.toString(pid), host, Integer.toString(httpPort)));
        Files.move(fresh, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Empty if the file is missing or invalid: the server may be starting. */
    public static Optional<ServerFile> read(Path directory) throws IOException {
        try {
            List<String> lines = Files.readAllLines(directory.resolve(FILE));
            return lines.size() == 3
                    ? Optional.of(
                            new ServerFile(Long.parseLong(lines.get(0)), lines.get(1), Integer.parseInt(lines.get(2))))
                    : Optional.empty();
        } catch (NoSuchFileException | NumberFormatException none) {
            return Optional.empty();
        }
    }

    static void delete(Path directory) throws IOException {
        Files.deleteIfExists(directory.resolve(FILE));
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(host, httpPort);
    }
}
