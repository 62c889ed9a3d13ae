package io.polytable.store.fluss;

import io.polytable.table.testkit.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A real Fluss cluster on the loopback address: ZooKeeper, a coordinator and tablet servers, each a process of its own
 * that can be killed, stopped for a while and started again.
 */
public final class TestCluster implements AutoCloseable {
    private static final String ZOOKEEPER =
            "org.apache.fluss.shaded.zookeeper3.org.apache.zookeeper.server.quorum.QuorumPeerMain";
    private static final String COORDINATOR = "org.apache.fluss.server.coordinator.CoordinatorServer";
    private static final String TABLET_SERVER = "org.apache.fluss.server.tablet.TabletServer";

    /** ZooKeeper grants sessions of up to twenty ticks. */
    private static final int SESSION_TICKS = 16;

    private static Optional<TestCluster> shared = Optional.empty();

    private final Path directory;
    private final int replication;
    private final int tickMillis;
    private final String classPath;
    private final int zooKeeperPort = FreePort.find();
    private final int coordinatorPort = FreePort.find();
    private final List<Integer> tabletPorts = new ArrayList<>();
    private final List<ClusterProcess> tabletServers = new ArrayList<>();
    private final List<ClusterProcess> others = new ArrayList<>();

    private TestCluster(Path directory, int tabletServerCount, int replication) {
        this.directory = directory;
        this.replication = replication;
        // A single server has nobody to take over from it: losing its session in a pause or on a busy machine only
        // leaves its
        // buckets without a leader. With several servers, a killed one shall be replaced soon.
        this.tickMillis = tabletServerCount == 1 ? 4_000 : 500;
        this.classPath = classPath();
        for (int i = 0; i < tabletServerCount; i++) {
            tabletPorts.add(FreePort.find());
        }
    }

    /** The cluster of one tablet server that all tests of a Java machine share; it ends with the machine. */
    public static synchronized TestCluster shared() {
        if (shared.isEmpty()) {
            TestCluster cluster = start(1, 1);
            Runtime.getRuntime().addShutdownHook(new Thread(cluster::close));
            shared = Optional.of(cluster);
        }
        return shared.get();
    }

    public static TestCluster start(int tabletServerCount, int replication) {
        try {
            TestCluster cluster =
                    new TestCluster(Files.createTempDirectory("polytable-fluss"), tabletServerCount, replication);
            cluster.start();
            return cluster;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void start() throws IOException {
        Path configuration = directory.resolve("zoo.cfg");
        Files.write(
                configuration,
                List.of(
                        "dataDir=" + directory.resolve("zookeeper"),
                        "clientPort=" + zooKeeperPort,
                        "clientPortAddress=127.0.0.1",
                        "maxClientCnxns=0",
                        "admin.enableServer=false",
                        "tickTime=" + tickMillis));
        others.add(launch("zookeeper", 64, ZOOKEEPER, configuration.toString()));
        others.get(0).awaitPort(zooKeeperPort);
        others.add(
                launch("coordinator", 160, COORDINATOR, "--configDir", configured("coordinator", coordinatorPort, "")));
        for (int i = 0; i < tabletPorts.size(); i++) {
            tabletServers.add(launchTabletServer(i));
        }
        others.get(1).awaitPort(coordinatorPort);
        for (int i = 0; i < tabletPorts.size(); i++) {
            tabletServers.get(i).awaitPort(tabletPorts.get(i));
        }
    }

    private ClusterProcess launchTabletServer(int index) {
        String name = "tablet-" + index;
        String own = "tablet-server.id: " + index + "\n";
        return launch(name, 400, TABLET_SERVER, "--configDir", configured(name, tabletPorts.get(index), own));
    }

    /** Writes a server's configuration, and answers the directory it is in. */
    private String configured(String name, int port, String own) {
        String text = """
                zookeeper.address: 127.0.0.1:%d
                zookeeper.client.session-timeout: %dms
                default.bucket.number: 1
                default.replication.factor: %d
                log.replica.min-in-sync-replicas-number: %d
                log.replica.fetch.wait-max-time: 5ms
                kv.rocksdb.writebuffer.size: 8mb
                kv.snapshot.interval: 3s
                data.dir: %s
                remote.data.dir: %s
                bind.listeners: FLUSS://127.0.0.1:%d
                %s""".formatted(
                        zooKeeperPort,
                        SESSION_TICKS * tickMillis,
                        replication,
                        replication > 1 ? 2 : 1,
                        directory.resolve("data-" + name),
                        directory.resolve("remote"),
                        port,
                        own);
        Path where = directory.resolve("conf-" + name);
        try {
            Files.createDirectories(where);
            Files.writeString(where.resolve("server.yaml"), text);
            return where.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ClusterProcess launch(String name, int heapMegabytes, String mainClass, String... words) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx" + heapMegabytes + "m",
                "-XX:MaxDirectMemorySize=400m",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                classPath,
                mainClass));
        command.addAll(List.of(words));
        return ClusterProcess.start(name, command, directory.resolve(name + ".log"));
    }

    /** What clients are told. */
    public String bootstrapServers() {
        return "127.0.0.1:" + coordinatorPort;
    }

    /** The addresses of all servers, the coordinator's first. */
    List<String> allServers() {
        List<String> all = new ArrayList<>(List.of(bootstrapServers()));
        tabletPorts.forEach(port -> all.add("127.0.0.1:" + port));
        return all;
    }

    ClusterProcess coordinator() {
        return others.get(1);
    }

    public ClusterProcess tabletServer(int index) {
        return tabletServers.get(index);
    }

    /** Starts a tablet server that was killed, with the files it left. */
    public void restartTabletServer(int index) {
        ClusterProcess again = launchTabletServer(index);
        tabletServers.set(index, again);
        again.awaitPort(tabletPorts.get(index));
    }

    @Override
    public void close() {
        tabletServers.forEach(ClusterProcess::kill);
        others.forEach(ClusterProcess::kill);
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String classPath() {
        Path jars = Path.of(System.getProperty("polytable.root", ".."), "store-fluss", "target", "cluster");
        try (Stream<Path> files = Files.list(jars.toAbsolutePath())) {
            return files.map(Path::toString).collect(Collectors.joining(java.io.File.pathSeparator));
        } catch (IOException e) {
            throw new UncheckedIOException("The build copies the cluster's jars to " + jars, e);
        }
    }
}
