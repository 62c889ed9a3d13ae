package io.polytable.hbase.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * A real HBase in a process of its own: master, region server and ZooKeeper on free ports of the loopback address, its
 * files below one directory. The module {@code hbase-node} names its jars. The property {@code polytable.hbase.zookeeper}
 * names the ZooKeeper port of one that runs already.
 */
public final class HBaseNode implements AutoCloseable {
    private static final Duration STOP_MAX = Duration.ofSeconds(20);
    private static final List<String> OPENS = List.of(
            "java.base/java.nio",
            "java.base/sun.nio.ch",
            "java.base/java.lang",
            "java.base/java.lang.reflect",
            "java.base/java.util",
            "java.base/java.util.concurrent",
            "java.base/jdk.internal.ref",
            "java.base/jdk.internal.util.random");
    private static final List<String> EXPORTS =
            List.of("java.base/jdk.internal.misc", "java.security.jgss/sun.security.krb5");

    /** A quick start and a small process. */
    private static final List<String> SMALL =
            List.of("-Xms256m", "-Xmx768m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** What it keeps must not depend on when it happened to compact. */
    private static final Map<String, String> WITHOUT_BACKGROUND = Map.of(
            "hbase.hregion.majorcompaction", "0",
            "hbase.hstore.compaction.min", "10000",
            "hbase.hstore.compactionThreshold", "10000",
            "hbase.hstore.blockingStoreFiles", "20000",
            // The master knows of a compaction's end only by what the region server reports, else every three seconds.
            "hbase.regionserver.msginterval", "50");

    private static final class Shared {
        static final HBaseNode NODE = open();

        private Shared() {}

        private static HBaseNode open() {
            try {
                Path home = Files.createTempDirectory("hbase-node");
                HBaseNode node = start(home, SMALL, WITHOUT_BACKGROUND);
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    node.close();
                    delete(home);
                }));
                return node;
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    private final Process process;
    private final int zookeeperPort;

    private HBaseNode(Process process, int zookeeperPort) {
        this.process = process;
        this.zookeeperPort = zookeeperPort;
    }

    /** How to reach the node of all tests of this JVM, which is stopped with it. */
    public static Configuration shared() {
        Integer running = Integer.getInteger("polytable.hbase.zookeeper");
        return configuration(running == null ? Shared.NODE.zookeeperPort : running);
    }

    /**
     * Starts a node and returns when it serves.
     *
     * @param home an empty directory that stays
     * @param flags of its JVM
     * @param settings for its hbase-site.xml, beyond those that it needs to run here
     */
    public static HBaseNode start(Path home, List<String> flags, Map<String, String> settings) throws IOException {
        int port = FreePort.find();
        Path site = Files.createDirectories(home.resolve("conf")).resolve("hbase-site.xml");
        Map<String, String> all = settings(home, port);
        all.putAll(settings);
        Files.writeString(site, xml(all));
        Path output = home.resolve("output");
        Process process = new ProcessBuilder(command(home, flags))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        HBaseNode node = new HBaseNode(process, port);
        try {
            node.awaitServing(output);
            return node;
        } catch (IOException | RuntimeException failed) {
            node.close();
            throw failed;
        }
    }

    /** For scripts: a directory, then flags of the JVM. Prints its ZooKeeper port and process id and stays until killed. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> flags = List.of(arguments).subList(1, arguments.length);
        HBaseNode node = start(Path.of(arguments[0]), flags, Map.of());
        Runtime.getRuntime().addShutdownHook(new Thread(node::close));
        System.out.println("ready " + node.zookeeperPort + " " + node.process.pid());
        node.process.waitFor();
    }

    /** How a client reaches it. */
    public Configuration configuration() {
        return configuration(zookeeperPort);
    }

    private static Configuration configuration(int zookeeperPort) {
        Configuration configuration = HBaseConfiguration.create();
        configuration.set(HConstants.ZOOKEEPER_QUORUM, "localhost");
        configuration.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, zookeeperPort);
        return configuration;
    }

    private static Map<String, String> settings(Path home, int zookeeperPort) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("hbase.rootdir", home.resolve("data").toUri().toString());
        all.put("hbase.tmp.dir", home.resolve("tmp").toString());
        all.put("hbase.cluster.distributed", "false");
        // The local file system cannot promise what a distributed one does.
        all.put("hbase.unsafe.stream.capability.enforce", "false");
        all.put("hbase.zookeeper.quorum", "localhost");
        all.put("hbase.zookeeper.property.clientPort", Integer.toString(zookeeperPort));
        all.put("hbase.zookeeper.property.dataDir", home.resolve("zookeeper").toString());
        // On a busy machine the server would otherwise take itself for dead.
        all.put("hbase.zookeeper.property.tickTime", "6000");
        all.put("zookeeper.session.timeout.localHBaseCluster", "120000");
        all.put("hbase.localcluster.assign.random.ports", "true");
        all.put("hbase.master.hostname", "localhost");
        all.put("hbase.master.ipc.address", "127.0.0.1");
        all.put("hbase.master.info.port", "-1");
        all.put("hbase.unsafe.regionserver.hostname", "localhost");
        all.put("hbase.regionserver.ipc.address", "127.0.0.1");
        all.put("hbase.regionserver.info.port", "-1");
        return all;
    }

    private static String xml(Map<String, String> settings) {
        StringBuilder xml = new StringBuilder("<configuration>\n");
        settings.forEach((name, value) -> xml.append("<property><name>")
                .append(name)
                .append("</name><value>")
                .append(value.replace("&", "&amp;").replace("<", "&lt;"))
                .append("</value></property>\n"));
        return xml.append("</configuration>\n").toString();
    }

    private static List<String> command(Path home, List<String> flags) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        OPENS.forEach(name -> command.add("--add-opens=" + name + "=ALL-UNNAMED"));
        EXPORTS.forEach(name -> command.add("--add-exports=" + name + "=ALL-UNNAMED"));
        command.addAll(List.of(
                "-Dorg.apache.hbase.thirdparty.io.netty.tryReflectionSetAccessible=true",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Djava.net.preferIPv4Stack=true",
                "-Djava.io.tmpdir=" + home));
        command.addAll(List.of("-cp", home.resolve("conf") + ":" + jars()));
        command.addAll(List.of("org.apache.hadoop.hbase.master.HMaster", "start"));
        return command;
    }

    private static String jars() throws IOException {
        Path list =
                Path.of(System.getProperty("polytable.root", ".."), "testbeds", "hbase-node", "target", "classpath");
        try {
            return Files.readString(list).strip();
        } catch (NoSuchFileException unbuilt) {
            throw new IOException(
                    "Which jars HBase is made of is not known: mvn -Ppeers -pl testbeds/hbase-node package", unbuilt);
        }
    }

    private void awaitServing(Path output) throws IOException {
        Configuration patient = configuration();
        patient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
        patient.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 5_000);
        patient.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, 5_000);
        patient.setInt("zookeeper.recovery.retry", 0);
        Await.until(() -> "HBase has started: " + text(output), () -> {
            assertThat(process.isAlive()).as("HBase runs").isTrue();
            return serves(patient);
        });
    }

    /** Namespaces are listed only by a master that has begun its work. */
    private static boolean serves(Configuration configuration) {
        try (Connection connection = ConnectionFactory.createConnection(configuration);
                Admin admin = connection.getAdmin()) {
            return admin.listNamespaces().length > 0
                    && !admin.getClusterMetrics().getLiveServerMetrics().isEmpty();
        } catch (IOException notYet) {
            return false;
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    /** Kills it: what it wrote is of no further use, or was flushed before. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(STOP_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("HBase does not end: process " + process.pid());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
