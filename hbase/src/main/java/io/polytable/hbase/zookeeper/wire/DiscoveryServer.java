package io.polytable.hbase.zookeeper.wire;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.polytable.hbase.zookeeper.NodeTree;
import io.polytable.hbase.zookeeper.Watches;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A ZooKeeper that only serves discovery: HBase's clients find the cluster in its nodes, which nobody can change. It
 * keeps everything in memory, has no sessions to restore, and writes no files.
 */
public final class DiscoveryServer implements AutoCloseable {
    private static final int CONNECTIONS_PER_HOST_MAX = 1_000;
    private static final int CONNECTIONS_MAX = 4_000;

    /** The largest request; paths and lists of watches are small. */
    private static final int REQUEST_BYTES_MAX = 16 << 10;

    private static final int UNSENT_BYTES_MAX = 64 << 10;
    private static final long CLOSE_MILLIS_MAX = 2_000;

    private final InstantSource clock;
    private final EventLoopGroup loop;
    private final Map<InetAddress, Integer> perHost = new ConcurrentHashMap<>();
    private final Set<DiscoveryConnection> connections = ConcurrentHashMap.newKeySet();
    private final Watches.Room watchRoom = new Watches.Room();
    private final RefusalLog refusals = new RefusalLog(System::nanoTime);
    private final Channel listener;
    private volatile NodeTree tree;

    private DiscoveryServer(InetSocketAddress address, InstantSource clock) throws IOException {
        this.clock = clock;
        // A client connects again with the last transaction that it saw, also one of an earlier process.
        tree = NodeTree.empty(clock.millis() << 20, clock.millis());
        loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("hbase-zookeeper", true), NioIoHandler.newFactory());
        try {
            listener = bind(address);
        } catch (IOException | RuntimeException failed) {
            end();
            throw failed;
        }
    }

    /** Accepts connections when this returns. */
    public static DiscoveryServer start(InetSocketAddress address, InstantSource clock) throws IOException {
        return new DiscoveryServer(address, clock);
    }

    private Channel bind(InetSocketAddress address) throws IOException {
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(UNSENT_BYTES_MAX / 2, UNSENT_BYTES_MAX))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new LengthFieldBasedFrameDecoder(
                                                REQUEST_BYTES_MAX, 0, Integer.BYTES, 0, Integer.BYTES),
                                        new DiscoveryConnection(DiscoveryServer.this, watchRoom, refusals));
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        Throwable cause = bound.cause();
        if (cause != null) {
            throw cause instanceof BindException taken
                    ? taken
                    : new IOException(String.valueOf(cause.getMessage()), cause);
        }
        return bound.channel();
    }

    /** Counts a connection until {@link #leave}; false if there are too many. */
    boolean enter(DiscoveryConnection connection, InetAddress host) {
        connections.add(connection);
        int ofHost = perHost.merge(host, 1, Integer::sum);
        return ofHost <= CONNECTIONS_PER_HOST_MAX && connections.size() <= CONNECTIONS_MAX;
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
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    private void end() {
        loop.shutdownGracefully(0, CLOSE_MILLIS_MAX, TimeUnit.MILLISECONDS).awaitUninterruptibly(2 * CLOSE_MILLIS_MAX);
    }

    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        connections.forEach(DiscoveryConnection::close);
        end();
    }
}
