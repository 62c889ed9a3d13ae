package io.polytable.entity.cassandra;

import io.polytable.table.testkit.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A real Cassandra node in a process of its own, on a loopback address, with its files in a temporary directory. */
final class NodeProcess implements AutoCloseable {
    /** Settings of a node that asks nobody for a password. */
    static final String OPEN_TO_ALL = "authenticator: AllowAllAuthenticator\nauthorizer: AllowAllAuthorizer\n";

    /** A quick start and a small process matter more to tests than speed later. */
    private static final String SMALL = "-Xms384m -Xmx384m -XX:TieredStopAtLevel=1";

    /** A schema change is not flushed to disk. A node that starts again reads the schema before its commit log. */
    private static final List<String> BRIEF =
            List.of("-Dcassandra.test.flush_local_schema_changes=false", "-Dcassandra.unsafesystem=true");

    private static final int JOIN_MILLIS = 20_000;

    private static final Duration START_MAX = Duration.ofMinutes(4);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
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

    /**
     * Where a node listens, and what its settings say besides.
     *
     * @param address a loopback address, so that several nodes have the same ports
     * @param seed the address of the node that is started first
     * @param settings lines of its configuration that come on top
     * @param isBrief whether the node is never restarted, so that nothing of it needs to be on disk
     */
    record Place(String address, String seed, int port, int storagePort, String settings, boolean isBrief) {
        static Place alone(String settings) {
            return new Place("127.0.0.1", "127.0.0.1", FreePort.find(), FreePort.find(), settings, true);
        }
    }

    private final Place place;
    private final Path home;
    private Process process;

    private NodeProcess(Place place, Path home) throws IOException {
        this.place = place;
        this.home = home;
        process = run();
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /** Starts a node; its configuration may name files that the caller puts in the directory. */
    static NodeProcess start(Place place) {
        try {
            Path home = Files.createTempDirectory("cassandra");
            Files.writeString(home.resolve("cassandra.yaml"), settings(home, place));
            Files.writeString(home.resolve("logback.xml"), "<configuration><root level=\"OFF\"/></configuration>");
            NodeProcess node = new NodeProcess(place, home);
            node.await();
            return node;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For scripts: starts a node, says on which port it answers, and stops it when it is itself told to stop. */
    public static void main(String[] arguments) throws InterruptedException {
        NodeProcess node = start(Place.alone(OPEN_TO_ALL));
        System.out.println("ready " + node.port());
        node.process.waitFor();
    }

    int port() {
        return place.port;
    }

    private Process run() throws IOException {
        return new ProcessBuilder(command(home, place))
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("output").toFile())
                .start();
    }

    private void await() throws IOException {
        long end = System.nanoTime() + START_MAX.toNanos();
        while (!answers()) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new IOException("Cassandra did not start: " + Files.readString(home.resolve("output")));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Ends the process as kill -9 does. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(1, TimeUnit.MINUTES);
    }

    /** Starts the process again over the same files. */
    void restart() throws IOException {
        process = run();
        await();
    }

    private static List<String> command(Path home, Place place) throws IOException {
        Path root = Path.of(System.getProperty("polytable.root", ".."));
        String classPath = Files.readString(root.resolve("testbeds/cassandra-node/target/classpath"))
                .strip();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xss512k", "-XX:MaxDirectMemorySize=256m", "-XX:+UseSerialGC"));
        command.addAll(
                List.of(System.getProperty("polytable.cassandra.options", SMALL).split(" ", -1)));
        command.add("-Djava.net.preferIPv4Stack=true");
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
                "-Dcassandra.jmx.local.port=" + FreePort.find(),
                // A node that joins others waits so long until it has heard of them; one that is alone hears of nobody.
                "-Dcassandra.ring_delay_ms=" + (place.address.equals(place.seed) ? 1000 : JOIN_MILLIS),
                "-Dcassandra.skip_wait_for_gossip_to_settle=0",
                "-Dcassandra.superuser_setup_delay_ms=0",
                // Nodes are killed, the machine is not: what is written need not be synced.
                "-Dcassandra.skip_sync=true",
                // The lowest cost of a password's hash.
                "-Dcassandra.auth_bcrypt_gensalt_log2_rounds=4",
                "-Djava.io.tmpdir=" + home));
        if (place.isBrief) {
            command.addAll(BRIEF);
        }
        command.addAll(List.of("-cp", classPath, "org.apache.cassandra.service.CassandraDaemon"));
        return command;
    }

    private static String settings(Path home, Place place) {
        return """
                cluster_name: polytable-test
                num_tokens: 4
                partitioner: org.apache.cassandra.dht.Murmur3Partitioner
                listen_address: %4$s
                rpc_address: %4$s
                native_transport_port: %2$d
                storage_port: %3$d
                seed_provider:
                  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                    parameters:
                      - seeds: "%5$s:%3$d"
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
                role_manager: CassandraRoleManager
                paxos_variant: v2
                dynamic_snitch: false
                write_request_timeout: 20000ms
                counter_write_request_timeout: 20000ms
                read_request_timeout: 20000ms
                range_request_timeout: 20000ms
                cas_contention_timeout: 10000ms
                """.formatted(home, place.port, place.storagePort, place.address, place.seed) + place.settings;
    }

    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(place.address, place.port), 500);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
            if (Files.exists(home)) {
                try (Stream<Path> files = Files.walk(home)) {
                    files.sorted(Comparator.reverseOrder())
                            .forEach(file -> file.toFile().delete());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
