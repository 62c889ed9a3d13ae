package io.polytable.hbase.zookeeper.wire;

import io.netty.channel.Channel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.polytable.frontend.net.Listener;
import io.polytable.frontend.net.Network;
import io.polytable.hbase.zookeeper.NodeTree;
import io.polytable.hbase.zookeeper.Watches;
import io.polytable.table.Bytes;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A ZooKeeper that only serves discovery: HBase's clients find the cluster in its nodes, which nobody can change. It
 * keeps everything in memory, has no sessions to restore, and writes no files.
 */
public final class DiscoveryServer implements AutoCloseable {
    private static final int CONNECTIONS_PER_HOST_MAX = 1_000;
    private static final int CONNECTIONS_MAX = 4_000;

    /** The largest request; paths and lists of watches are small. */
    private static final int REQUEST_BYTES_MAX = 16 << 10;

    static final String TOO_MANY = "too many connections";

    private static final int UNSENT_BYTES_MAX = 64 << 10;

    private final InstantSource clock;
    private final Map<InetAddress, Integer> perHost = new ConcurrentHashMap<>();
    private final Set<DiscoveryConnection> connections = ConcurrentHashMap.newKeySet();
    private final Watches.Room watchRoom = new Watches.Room();
    private final RefusalLog refusals = new RefusalLog(System::nanoTime);
    private final Listener listener;
    private final int port;
    private volatile NodeTree tree;

    private DiscoveryServer(Network network, String name, InetSocketAddress address, InstantSource clock) {
        this.clock = clock;
        // A client connects again with the last transaction that it saw, also one of an earlier process.
        tree = NodeTree.empty(clock.millis() << 20, clock.millis());
        listener = network.listener("zookeeper")
                .unsentBytesMax(UNSENT_BYTES_MAX)
                .connectionsMax(() -> CONNECTIONS_MAX)
                .accepted(this::connect)
                .refused(this::refuse)
                .open();
        port = listener.bind(name, address);
    }

    /**
     * Accepts connections when this returns.
     *
     * @param name of the port, as in the ready line
     * @throws io.polytable.frontend.net.CannotListenException if the address cannot be bound
     */
    public static DiscoveryServer start(Network network, String name, InetSocketAddress address, InstantSource clock) {
        return new DiscoveryServer(network, name, address, clock);
    }

    private void connect(Channel channel) {
        channel.pipeline()
                .addLast(
                        new LengthFieldBasedFrameDecoder(REQUEST_BYTES_MAX, 0, Integer.BYTES, 0, Integer.BYTES),
                        new DiscoveryConnection(this, watchRoom, refusals));
    }

    private void refuse(Channel channel) {
        refusals.closed(channel.remoteAddress(), TOO_MANY);
        var unused = channel.close();
    }

    /** Counts a connection until {@link #leave}; false if there are too many of its host. */
    boolean enter(DiscoveryConnection connection, InetAddress host) {
        connections.add(connection);
        int ofHost = perHost.merge(host, 1, Integer::sum);
        return ofHost <= CONNECTIONS_PER_HOST_MAX;
    }

    void leave(DiscoveryConnection connection, InetAddress host) {
        connections.remove(connection);
        perHost.computeIfPresent(host, (known, count) -> count == 1 ? null : count - 1);
    }

    NodeTree tree() {
        return tree;
    }

    /** Replaces all nodes and notifies the clients that watch what changed. */
    public synchronized void publish(SortedMap<String, Bytes> contents) {
        tree = tree.with(contents, clock.millis());
        connections.forEach(DiscoveryConnection::published);
    }

    public int port() {
        return port;
    }

    @Override
    public void close() {
        listener.close();
    }
}
