package io.polytable.hbase;

import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellStoreOptions;
import io.polytable.frontend.net.Network;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Users;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.TableStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.jspecify.annotations.Nullable;

/** The frontend over a store in a directory, and how HBase's client is told where it is. */
public final class ServedCluster implements AutoCloseable {
    private static @Nullable ServedCluster shared;

    private final Network network = new Network();
    private final TableStore store;
    private final Users users;
    private final CellStore cells;
    private final HBaseServer face;

    private ServedCluster(TableStore store, CellStoreOptions cellOptions, UnaryOperator<LoopbackOptions> options)
            throws IOException {
        this.store = store;
        cells = CellStore.open(store, cellOptions);
        InstantSource clock = InstantSource.system();
        Sessions sessions = new Sessions(clock);
        users = Users.open(store, sessions, clock);
        face = HBaseServer.start(
                cells,
                options.apply(new LoopbackOptions()).options(),
                HBaseMemory.standard(),
                clock,
                (service, method, nanos, failed) -> {},
                network,
                sessions,
                users);
    }

    /** The users of all protocols. */
    Users users() {
        return users;
    }

    /**
     * The server that test classes share which need no options and no state of their own. It runs until the JVM ends;
     * their tables have different names.
     */
    static synchronized ServedCluster shared() throws IOException {
        ServedCluster running = shared;
        if (running == null) {
            Path directory = Files.createTempDirectory("served");
            running = on(directory);
            shared = running;
            ServedCluster ending = running;
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(ending, directory)));
        }
        return running;
    }

    private static void end(ServedCluster running, Path directory) {
        running.close();
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException left) {
            // The system removes its temporary files.
        }
    }

    static ServedCluster on(Path directory) throws IOException {
        return on(directory, UnaryOperator.identity());
    }

    static ServedCluster on(Path directory, UnaryOperator<LoopbackOptions> options) throws IOException {
        return new ServedCluster(opened(directory.resolve("store")), CellStoreOptions.DEFAULT, options);
    }

    public static ServedCluster on(Path directory, CellStoreOptions cellOptions) throws IOException {
        return new ServedCluster(opened(directory.resolve("store")), cellOptions, UnaryOperator.identity());
    }

    private static TableStore opened(Path directory) {
        EngineOptions small = EngineOptions.DEFAULT.withMemory(16 << 20, 16 << 20);
        return EmbeddedStore.open(directory, small, FileLogOptions.defaults());
    }

    HBaseServer face() {
        return face;
    }

    CellStore cells() {
        return cells;
    }

    TableStore store() {
        return store;
    }

    /** What a team changes in its hbase-site.xml, and short retries, so that a failure shows before the test ends. */
    public Configuration configuration() {
        Configuration configuration = HBaseConfiguration.create();
        configuration.set(HConstants.ZOOKEEPER_QUORUM, "localhost");
        configuration.setInt(
                HConstants.ZOOKEEPER_CLIENT_PORT, face.zookeeperPort().orElseThrow());
        configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 3);
        configuration.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 20_000);
        configuration.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, 10_000);
        return configuration;
    }

    Connection connect() throws IOException {
        return ConnectionFactory.createConnection(configuration());
    }

    @Override
    public void close() {
        face.close();
        network.close();
        cells.close();
        store.close();
    }
}
