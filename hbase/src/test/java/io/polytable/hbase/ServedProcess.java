package io.polytable.hbase;

import io.polytable.cells.store.CellCheck;
import io.polytable.cells.store.CellStore;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.FreePort;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;

/** A cluster that can be killed, and comes again at the same ports. */
final class ServedProcess implements AutoCloseable {

    private final Path directory;
    private final int masterPort = FreePort.find();
    private final int regionServerPort = FreePort.find();
    private final int zookeeperPort = FreePort.find();
    private ChildJvm child;

    ServedProcess(Path directory) throws Exception {
        this.directory = directory;
        child = launched();
    }

    private ChildJvm launched() throws Exception {
        String classPath = System.getProperty("java.class.path");
        ChildJvm launched = ChildJvm.start(
                directory,
                classPath,
                List.of(
                        ServedMain.class.getName(),
                        directory.resolve("data").toString(),
                        Integer.toString(masterPort),
                        Integer.toString(regionServerPort),
                        Integer.toString(zookeeperPort)));
        launched.awaitOutput(ServedMain.READY);
        return launched;
    }

    void kill() throws InterruptedException {
        child.kill();
    }

    void restart() throws Exception {
        child.kill();
        child = launched();
    }

    /** Few retries and short waits: who is cut off shall notice soon. */
    Configuration impatient() {
        Configuration configuration = configuration();
        configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
        configuration.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 4_000);
        configuration.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, 2_000);
        return configuration;
    }

    /** As many retries as it takes until a server that was killed is there again. */
    Configuration configuration() {
        Configuration configuration = HBaseConfiguration.create();
        // Our ZooKeeper is killed with the server, and its client then waits for long and does not try again.
        configuration.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
        configuration.set("hbase.client.bootstrap.servers", "localhost:" + regionServerPort);
        configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 200);
        configuration.setInt(HConstants.HBASE_CLIENT_PAUSE, 50);
        configuration.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 90_000);
        configuration.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, 5_000);
        return configuration;
    }

    /** Stops the process and verifies every stored row. */
    CellCheck.Report stopAndCheck() throws InterruptedException {
        child.kill();
        EngineOptions small = EngineOptions.DEFAULT.withMemory(16 << 20, 16 << 20);
        try (TableStore store =
                EmbeddedStore.open(directory.resolve("data").resolve("store"), small, FileLogOptions.defaults())) {
            return CellStore.checkStored(store);
        }
    }

    @Override
    public void close() {
        child.close();
    }
}
