package io.polytable.server.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The address of the server of a data directory, stored there for commands on the same machine.
 *
 * @param certificate the server's certificate, if the HTTP port takes encrypted connections only
 */
public record ServerFile(long pid, String host, int httpPort, Optional<Path> certificate) {
    private static final String FILE = "polytable.server";
    private static final int LINES_PLAIN = 3;

    /** A server that listens on all addresses is reached through loopback. */
    static ServerFile of(InetAddress bound, int httpPort, Optional<Path> certificate) {
        InetAddress reachable = bound.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound;
        return new ServerFile(ProcessHandle.current().pid(), reachable.getHostAddress(), httpPort, certificate);
    }

    void write(Path directory) throws IOException {
        Path fresh = directory.resolve(FILE + ".new");
        List<String> lines = new ArrayList<>(List.of(Long.toString(pid), host, Integer.toString(httpPort)));
        certificate.ifPresent(file -> lines.add(file.toAbsolutePath().toString()));
        Files.write(fresh, lines);
        Files.move(fresh, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Empty if the file is missing or invalid: the server may be starting. */
    public static Optional<ServerFile> read(Path directory) throws IOException {
        try {
            List<String> lines = Files.readAllLines(directory.resolve(FILE));
            if (lines.size() < LINES_PLAIN) {
                return Optional.empty();
            }
            return Optional.of(new ServerFile(
                    Long.parseLong(lines.get(0)),
                    lines.get(1),
                    Integer.parseInt(lines.get(2)),
                    lines.stream().skip(LINES_PLAIN).findFirst().map(Path::of)));
        } catch (NoSuchFileException | NumberFormatException none) {
            return Optional.empty();
        }
    }

    static void delete(Path directory) throws IOException {
        Files.deleteIfExists(directory.resolve(FILE));
    }

    /** The address of a path of the server. */
    public URI uri(String path) {
        String literal = host.contains(":") ? "[" + host + "]" : host;
        return URI.create((certificate.isPresent() ? "https://" : "http://") + literal + ":" + httpPort + path);
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(host, httpPort);
    }
}
