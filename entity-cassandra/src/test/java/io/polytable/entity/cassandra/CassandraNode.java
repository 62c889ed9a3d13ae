package io.polytable.entity.cassandra;

import io.polytable.entity.uri.EntityUri;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A real Cassandra node in a process of its own, started once for all tests of this JVM and stopped with it. The property
 * {@code polytable.cassandra}, HOST:PORT, names a node that runs already.
 */
final class CassandraNode {
    private static final Duration START_MAX = Duration.ofMinutes(4);
    private static final List<String> EXPORTS = List.of(
            "java.base/jdk.internal.misc",
            "java.management.rmi/com.sun.jmx.remote.internal.rmi",
            "java.management/com.sun.jmx.remote.security",
            "java.rmi/sun.rmi.registry",
            "java.rmi/sun.rmi.server",
            "java.sql/java.sql",
            "java.base/java.lang.ref",
            "jdk.unsupported/sun.misc");
    private static final List<String> OPENS = List.of(
            "java.base/java.lang.module",
            "java.base/jdk.internal.loader",
            "java.base/jdk.internal.ref",
            "java.base/jdk.internal.reflect",
            "java.base/jdk.internal.math",
            "java.base/jdk.internal.module",
            "java.base/jdk.internal.util.jar",
            "jdk.management/com.sun.management.internal",
            "java.base/sun.nio.ch",
            "java.base/java.io",
            "java.base/java.lang.reflect",
            "java.base/java.lang",
            "java.base/java.util",
            "java.base/java.nio");

    private static final EntityUri URI = open();

    private CassandraNode() {}

    static EntityUri uri() {
        return URI;
    }

    private static EntityUri open() {
        String running = System.getProperty("polytable.cassandra", "");
        if (!running.isEmpty()) {
            return EntityUri.parse("polytable-cassandra://" + running);
        }
        try {
            return EntityUri.parse("polytable-cassandra://127.0.0.1:" + start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int start() throws IOException {
        Path home = Files.createTempDirectory("cassandra");
        int port = freePort();
        Files.writeString(home.resolve("cassandra.yaml"), settings(home, port, freePort()));
        Files.writeString(home.resolve("logback.xml"), "<configuration><root level=\"OFF\"/></configuration>");
        Path output = home.resolve("output");
        Process process = new ProcessBuilder(command(home))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(process, home)));
        long end = System.nanoTime() + START_MAX.toNanos();
        while (!answers(port)) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new IOException("Cassandra did not start: " + Files.readString(output));
            }
            pause();
        }
        return port;
    }

    private static List<String> command(Path home) throws IOException {
        Path root = Path.of(System.getProperty("polytable.root", ".."));
        String classPath = Files.readString(root.resolve("cassandra-node/target/classpath"))
                .strip();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // A quick start and a small process matter more here than speed later.
        command.addAll(List.of("-Xms384m", "-Xmx384m", "-Xss512k", "-XX:MaxDirectMemorySize=256m"));
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.net.preferIPv4Stack=true"));
        EXPORTS.forEach(name -> command.add("--add-exports=" + name + "=ALL-UNNAMED"));
        OPENS.forEach(name -> command.add("--add-opens=" + name + "=ALL-UNNAMED"));
        command.addAll(List.of(
                "-Djdk.attach.allowAttachSelf=true",
                "-Dio.netty.tryReflectionSetAccessible=true",
                "-Dcassandra.config=" + home.resolve("cassandra.yaml").toUri(),
                "-Dlogback.configurationFile=" + home.resolve("logback.xml").toUri(),
                "-Dcassandra.storagedir=" + home,
                "-Dcassandra.logdir=" + home,
                "-Dcassandra-foreground=yes",
                "-Dcassandra.jmx.local.port=" + freePort(),
                "-Dcassandra.ring_delay_ms=1000",
                "-Dcassandra.skip_wait_for_gossip_to_settle=0",
                "-Dcassandra.superuser_setup_delay_ms=0",
                "-Djava.io.tmpdir=" + home));
        command.addAll(List.of("-cp", classPath, "org.apache.cassandra.service.CassandraDaemon"));
        return command;
    }

    private static String settings(Path home, int port, int storagePort) {
        return """
                cluster_name: polytable-test
                num_tokens: 4
                partitioner: org.apache.cassandra.dht.Murmur3Partitioner
                listen_address: 127.0.0.1
                rpc_address: 127.0.0.1
                native_transport_port: %2$d
                storage_port: %3$d
                seed_provider:
                  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                    parameters:
                      - seeds: "127.0.0.1:%3$d"
                endpoint_snitch: SimpleSnitch
                commitlog_sync: periodic
                commitlog_sync_period: 1000ms
                commitlog_segment_size: 16MiB
                data_file_directories: [ %1$s/data ]
                commitlog_directory: %1$s/commitlog
                hints_directory: %1$s/hints
                saved_caches_directory: %1$s/saved_caches
                cdc_raw_directory: %1$s/cdc
                memtable_heap_space: 64MiB
                memtable_offheap_space: 128MiB
                storage_compatibility_mode: NONE
                key_cache_size: 8MiB
                row_cache_size: 0MiB
                file_cache_size: 64MiB
                concurrent_compactors: 1
                auto_snapshot: false
                authenticator: AllowAllAuthenticator
                authorizer: AllowAllAuthorizer
                role_manager: CassandraRoleManager
                paxos_variant: v2
                dynamic_snitch: false
                write_request_timeout: 20000ms
                read_request_timeout: 20000ms
                range_request_timeout: 20000ms
                cas_contention_timeout: 10000ms
                """.formatted(home, port, storagePort);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(200);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void stop(Process process, Path home) {
        process.destroyForcibly();
        try {
            process.waitFor();
            try (Stream<Path> files = Files.walk(home)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
