package io.polytable.hbase.zookeeper;

import io.polytable.hbase.catalog.HBaseTable;
import io.polytable.hbase.catalog.Tables;
import io.polytable.hbase.meta.ServerAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterIdProtos;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the znodes by which HBase's clients discover a cluster: its id, its master, the server of {@code
 * hbase:meta}, and the states of tables. When a session expires, it publishes everything again.
 */
public final class Discovery implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Discovery.class);
    private static final int SESSION_MILLIS = 30_000;
    private static final long CONNECT_SECONDS_MAX = 20;

    private final DiscoveryOptions options;
    private final ServerAddress address;
    private final String clusterId;
    private final List<ACL> access;
    private final ExecutorService publisher = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "hbase-discovery");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable ZooKeeper session;
    private Map<String, byte[]> states = Map.of();

    private Discovery(DiscoveryOptions options, ServerAddress address, String clusterId) {
        this.options = options;
        this.address = address;
        this.clusterId = clusterId;
        access = new ArrayList<>(ZooDefs.Ids.OPEN_ACL_UNSAFE);
        if (!options.secret().isEmpty()) {
            access.clear();
            access.addAll(ZooDefs.Ids.CREATOR_ALL_ACL);
            access.addAll(ZooDefs.Ids.READ_ACL_UNSAFE);
        }
    }

    /** Publishes the server; clients can find it when this returns. */
    public static Discovery start(DiscoveryOptions options, ServerAddress address, String clusterId)
            throws IOException {
        Discovery discovery = new Discovery(options, address, clusterId);
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
            throw new IOException("ZooKeeper " + options.quorum() + " refused: " + refused.getMessage(), refused);
        }
    }

    private ZooKeeper connected() throws IOException, InterruptedException {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper opened = new ZooKeeper(options.quorum(), SESSION_MILLIS, event -> onEvent(event, connected));
        if (!options.secret().isEmpty()) {
            opened.addAuthInfo("digest", ("polytable:" + options.secret()).getBytes(StandardCharsets.UTF_8));
        }
        if (!connected.await(CONNECT_SECONDS_MAX, TimeUnit.SECONDS)) {
            opened.close();
            throw new IOException("ZooKeeper " + options.quorum() + " does not answer");
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
        try {
            publisher.execute(task);
        } catch (RejectedExecutionException closed) {
            LOG.debug("Nothing is published any more", closed);
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
        String parent = options.parent();
        for (int slash = parent.indexOf('/', 1); slash > 0; slash = parent.indexOf('/', slash + 1)) {
            put(to, parent.substring(0, slash), new byte[0], CreateMode.PERSISTENT);
        }
        put(to, parent, new byte[0], CreateMode.PERSISTENT);
        requireOurs(to);
        put(to, parent + "/hbaseid", NodeContents.clusterId(clusterId), CreateMode.PERSISTENT);
        put(to, parent + "/rs", new byte[0], CreateMode.PERSISTENT);
        put(to, parent + "/backup-masters", new byte[0], CreateMode.PERSISTENT);
        put(to, parent + "/table-state", new byte[0], CreateMode.PERSISTENT);
        put(to, parent + "/running", NodeContents.running(address), CreateMode.PERSISTENT);
        put(to, parent + "/rs/" + address.regionServer(), NodeContents.regionServer(), CreateMode.EPHEMERAL);
        put(to, parent + "/meta-region-server", NodeContents.metaServer(address), CreateMode.PERSISTENT);
        put(to, parent + "/master", NodeContents.master(address), CreateMode.EPHEMERAL);
        publishStates(to);
    }

    /** Refuses to overwrite another cluster's znodes. */
    private void requireOurs(ZooKeeper to) throws KeeperException, InterruptedException, IOException {
        String path = options.parent() + "/hbaseid";
        if (to.exists(path, false) == null) {
            return;
        }
        byte[] stored = to.getData(path, false, new Stat());
        int magic = ProtobufUtil.lengthOfPBMagic();
        String found = ClusterIdProtos.ClusterId.parser()
                .parseFrom(stored, magic, Math.max(0, stored.length - magic))
                .getClusterId();
        if (!found.equals(clusterId)) {
            throw new IOException("The nodes under " + options.parent() + " in ZooKeeper " + options.quorum()
                    + " belong to another cluster (" + found + ")");
        }
    }

    private void put(ZooKeeper to, String path, byte[] content, CreateMode mode)
            throws KeeperException, InterruptedException {
        if (to.exists(path, false) == null) {
            to.create(path, content, access, mode);
        } else if (mode == CreateMode.EPHEMERAL) {
            // It belongs to an earlier session and would vanish with it.
            delete(to, path);
            to.create(path, content, access, mode);
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
        Map<String, byte[]> now = new TreeMap<>();
        for (HBaseTable table : tables.all()) {
            now.put(table.hbaseName().getNameAsString(), NodeContents.tableState(table.state()));
        }
        submit(() -> update(now));
    }

    private synchronized void update(Map<String, byte[]> now) {
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
        String parent = options.parent() + "/table-state";
        for (String child : to.getChildren(parent, false)) {
            if (!states.containsKey(child)) {
                delete(to, parent + "/" + child);
            }
        }
        for (Map.Entry<String, byte[]> state : states.entrySet()) {
            put(to, parent + "/" + state.getKey(), state.getValue(), CreateMode.PERSISTENT);
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
        publisher.shutdownNow();
        synchronized (this) {
            closeSession();
        }
    }
}
