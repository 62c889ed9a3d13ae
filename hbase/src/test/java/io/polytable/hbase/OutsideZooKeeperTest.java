package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ZooKeeperProtos;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ZooKeeper that is not the server's own: what stands in it, and whose it is. */
class OutsideZooKeeperTest {
    private static final byte[] F = bytes("f");
    private static final TableName NAME = TableName.valueOf("found");

    /** A name of this machine that is not the one advertised by default. */
    private static final String HOST = "127.0.0.1";

    @TempDir
    Path directory;

    @Test
    void clientsFindTheServerAndTheStatesOfTablesThere() throws Exception {
        try (OutsideZooKeeper outside = zookeeper();
                ServedCluster served = served(outside, "one");
                Connection connection = ConnectionFactory.createConnection(configuration(outside));
                Admin admin = connection.getAdmin()) {
            assertThat(served.face().zookeeperPort()).isEmpty();
            admin.createTable(TableDescriptorBuilder.newBuilder(NAME)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                    .build());
            try (Table table = connection.getTable(NAME);
                    RegionLocator locator = connection.getRegionLocator(NAME)) {
                table.put(new Put(bytes("row")).addColumn(F, F, bytes("v")));
                assertThat(table.exists(new Get(bytes("row")))).isTrue();
                HRegionLocation location = locator.getRegionLocation(bytes("row"));
                assertThat(location.getHostname()).as("as advertised").isEqualTo(HOST);
            }
            ZooKeeper nodes = connected(outside);
            try {
                assertShows(nodes, admin);
            } finally {
                nodes.close();
            }
        }
    }

    private static void assertShows(ZooKeeper nodes, Admin admin) throws Exception {
        assertThat(ZooKeeperProtos.Master.parseFrom(content(nodes, "/hbase/master"))
                        .getMaster()
                        .getHostName())
                .isEqualTo(HOST);
        assertThat(nodes.getChildren("/hbase", false))
                .contains("hbaseid", "master", "meta-region-server", "rs", "running", "table-state");
        awaitState(nodes, HBaseProtos.TableState.State.ENABLED);
        admin.disableTable(NAME);
        awaitState(nodes, HBaseProtos.TableState.State.DISABLED);
        admin.deleteTable(NAME);
        Await.until("the node is gone", () -> nodes.exists("/hbase/table-state/" + NAME, false) == null);
    }

    @Test
    void anotherClustersNodesAreLeftAlone() throws Exception {
        try (OutsideZooKeeper outside = zookeeper();
                ServedCluster first = served(outside, "one")) {
            assertThat(first.face().regionServerPort()).isPositive();
            assertThatThrownBy(() -> served(outside, "two").close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("belong to another cluster");
        }
    }

    /** The nodes of a server that was killed are taken over by the one that comes after it. */
    @Test
    void aServerThatComesAgainIsFoundAgain() throws Exception {
        try (OutsideZooKeeper outside = zookeeper()) {
            for (int round = 0; round < 2; round++) {
                try (ServedCluster served = served(outside, "one");
                        Connection connection = ConnectionFactory.createConnection(configuration(outside));
                        Admin admin = connection.getAdmin()) {
                    assertThat(admin.getClusterMetrics().getMasterName().getPort())
                            .isEqualTo(served.face().masterPort());
                }
            }
        }
    }

    private OutsideZooKeeper zookeeper() throws IOException {
        return OutsideZooKeeper.start(
                directory.resolve("outside"), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private ServedCluster served(OutsideZooKeeper outside, String name) throws IOException {
        return ServedCluster.on(
                directory.resolve(name), options -> options.withQuorum("127.0.0.1:" + outside.port(), HOST));
    }

    private static Configuration configuration(OutsideZooKeeper outside) {
        Configuration configuration = HBaseConfiguration.create();
        configuration.set(HConstants.ZOOKEEPER_QUORUM, "127.0.0.1");
        configuration.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, outside.port());
        configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 3);
        return configuration;
    }

    private static ZooKeeper connected(OutsideZooKeeper outside) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper nodes = new ZooKeeper("127.0.0.1:" + outside.port(), 10_000, event -> connected.countDown());
        Await.opened(connected);
        return nodes;
    }

    /** Without the four bytes before each message. */
    private static byte[] content(ZooKeeper nodes, String path) throws KeeperException, InterruptedException {
        byte[] stored = nodes.getData(path, false, new Stat());
        assertThat(new String(stored, 0, 4, StandardCharsets.US_ASCII)).isEqualTo("PBUF");
        return Arrays.copyOfRange(stored, 4, stored.length);
    }

    /** The states are published behind the call that changes them. */
    private static void awaitState(ZooKeeper nodes, HBaseProtos.TableState.State state) {
        String path = "/hbase/table-state/" + NAME;
        Await.until(
                "the state is " + state,
                () -> nodes.exists(path, false) != null
                        && HBaseProtos.TableState.parseFrom(content(nodes, path))
                                        .getState()
                                == state);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
