package io.polytable.hbase.zookeeper;

import io.polytable.frontend.work.Background;
import io.polytable.hbase.catalog.Tables;
import io.polytable.hbase.meta.ServerAddress;
import io.polytable.hbase.zookeeper.Znodes.Znode;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterIdProtos;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the nodes of a server in an external ZooKeeper. When a session expires, it publishes everything again. As
 * HBase's without security, the nodes are open to changes by others.
 */
public final class Discovery implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Discovery.class);
    private static final int SESSION_MILLIS = 30_000;
    private static final long CONNECT_SECONDS_MAX = 20;

    private final String quorum;
    private final String parent;
    private final ServerAddress address;
    private final String clusterId;
    private final Background publisher = new Background("hbase-discovery", Duration.ZERO);
    private @Nullable ZooKeeper session;
    private SortedMap<String, Bytes> states = new TreeMap<>();

    private Discovery(String quorum, String parent, ServerAddress address, String clusterId) {
        this.quorum = quorum;
        this.parent = parent;
        this.address = address;
        this.clusterId = clusterId;
    }

    /**
     * Publishes the server; clients can find it when this returns.
     *
     * @param quorum the ZooKeeper servers, a comma-separated list of {@code host:port}
     * @param parent the parent of all nodes, which clients configure as {@code zookeeper.znode.parent}
     */
    public static Discovery start(String quorum, String parent, ServerAddress address, String clusterId)
            throws IOException {
        Discovery discovery = new Discovery(quorum, parent, address, clusterId);
        try {
            discovery.connectAndPublish();
            return discovery;
        } catch (IOException | RuntimeException failed) {
            discovery.close();
            throw failed;
        }
    }

    private synchronized void connectAndPublish() throws IOException {
        closeSession();
        try {
            ZooKeeper opened = connected();
            session = opened;
            publish(opened);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while publishing in ZooKeeper", stopping);
        } catch (KeeperException refused) {
            throw new IOException("ZooKeeper " + quorum + " refused: " + refused.getMessage(), refused);
        }
    }

    private ZooKeeper connected() throws IOException, InterruptedException {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper opened = new ZooKeeper(quorum, SESSION_MILLIS, event -> onEvent(event, connected));
        if (!connected.await(CONNECT_SECONDS_MAX, TimeUnit.SECONDS)) {
            opened.close();
            throw new IOException("ZooKeeper " + quorum + " does not answer");
        }
        return opened;
    }

    private void onEvent(WatchedEvent event, CountDownLatch connected) {
        if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
            connected.countDown();
        } else if (event.getState() == Watcher.Event.KeeperState.Expired) {
            submit(this::republish);
        }
    }

    private void submit(Runnable task) {
        if (!publisher.now(task)) {
            LOG.debug("Nothing is published any more");
        }
    }

    private void republish() {
        try {
            connectAndPublish();
        } catch (IOException failed) {
            LOG.warn("This server cannot be published in ZooKeeper, trying again", failed);
            pause();
            submit(this::republish);
        }
    }

    private static void pause() {
        try {
            TimeUnit.SECONDS.sleep(1);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private void publish(ZooKeeper to) throws KeeperException, InterruptedException, IOException {
        requireOurs(to);
        for (Map.Entry<String, Znode> node :
                Znodes.ofServer(parent, address, clusterId).entrySet()) {
            put(to, node.getKey(), node.getValue());
        }
        publishStates(to);
    }

    /** Refuses to overwrite another cluster's znodes. */
    private void requireOurs(ZooKeeper to) throws KeeperException, InterruptedException, IOException {
        String path = parent + "/hbaseid";
        if (to.exists(path, false) == null) {
            return;
        }
        byte[] stored = to.getData(path, false, new Stat());
        int magic = ProtobufUtil.lengthOfPBMagic();
        String found = ClusterIdProtos.ClusterId.parser()
                .parseFrom(stored, magic, Math.max(0, stored.length - magic))
                .getClusterId();
        if (!found.equals(clusterId)) {
            throw new IOException("The nodes under " + parent + " in ZooKeeper " + quorum
                    + " belong to another cluster (" + found + ")");
        }
    }

    private void put(ZooKeeper to, String path, Znode node) throws KeeperException, InterruptedException {
        byte[] content = node.content().toByteArray();
        CreateMode mode = node.ephemeral() ? CreateMode.EPHEMERAL : CreateMode.PERSISTENT;
        if (to.exists(path, false) == null) {
            to.create(path, content, ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
        } else if (node.ephemeral()) {
            // It belongs to an earlier session and would vanish with it.
            delete(to, path);
            to.create(path, content, ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
        } else if (content.length > 0) {
            to.setData(path, content, -1);
        }
    }

    /** The node may vanish on its own meanwhile, when the session that it belongs to expires. */
    private static void delete(ZooKeeper from, String path) throws KeeperException, InterruptedException {
        try {
            from.delete(path, -1);
        } catch (KeeperException.NoNodeException gone) {
            LOG.debug("{} is gone already", path, gone);
        }
    }

    /** Publishes the states of tables in the background. */
    public void tablesChanged(Tables tables) {
        SortedMap<String, Bytes> now = Znodes.states(tables);
        submit(() -> update(now));
    }

    private synchronized void update(SortedMap<String, Bytes> now) {
        states = now;
        ZooKeeper to = session;
        if (to == null) {
            return;
        }
        try {
            publishStates(to);
        } catch (KeeperException lost) {
            LOG.debug("States of tables wait for the next session", lost);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private void publishStates(ZooKeeper to) throws KeeperException, InterruptedException {
        String path = Znodes.statesPath(parent);
        for (String child : to.getChildren(path, false)) {
            if (!states.containsKey(child)) {
                delete(to, path + "/" + child);
            }
        }
        for (Map.Entry<String, Bytes> state : states.entrySet()) {
            put(to, path + "/" + state.getKey(), new Znode(state.getValue(), false));
        }
    }

    private void closeSession() {
        ZooKeeper open = session;
        session = null;
        if (open == null) {
            return;
        }
        try {
            open.close();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        publisher.close();
        synchronized (this) {
            closeSession();
        }
    }
}
