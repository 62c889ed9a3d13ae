package io.polytable.hbase.wire;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.polytable.frontend.session.Sessions;
import io.polytable.hbase.rpc.CallListener;
import io.polytable.hbase.rpc.Services;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ipc.FatalConnectionException;
import org.jspecify.annotations.Nullable;

/**
 * The RPC server. It listens on the ports of a master and of a region server. Both serve all services; the connection
 * header selects one.
 */
public final class RpcServer implements AutoCloseable {
    private static final int LOOPS = 2;
    private static final int WAITING_CALLS_MAX = 10_000;
    private static final int UNSENT_BYTES_MAX = 8 << 20;
    private static final int FLUSHES_MAX = 64;
    private static final long CLOSE_MILLIS_MAX = 2_000;
    private static final long IDLE_SECONDS = 30;

    private final WireOptions options;
    private final Sessions sessions;
    private final ThreadPoolExecutor workers;
    private final EventLoopGroup loops;
    private final boolean epoll = Epoll.isAvailable();
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final List<Channel> listeners = new ArrayList<>();
    private volatile @Nullable WireContext context;

    private RpcServer(WireOptions options, Sessions sessions) {
        this.options = options;
        this.sessions = sessions;
        workers = new ThreadPoolExecutor(
                options.threads(),
                options.threads(),
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(WAITING_CALLS_MAX),
                new DefaultThreadFactory("hbase-call", true));
        // Threads start on demand: a server without HBase clients has none.
        workers.allowCoreThreadTimeOut(true);
        loops = new MultiThreadIoEventLoopGroup(
                LOOPS,
                new DefaultThreadFactory("hbase-loop", true),
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    /** A server that does not listen yet. */
    static RpcServer create(WireOptions options) {
        return create(options, new Sessions());
    }

    /**
     * A server that does not listen yet.
     *
     * @param sessions the registry of the sessions of all protocols
     */
    public static RpcServer create(WireOptions options, Sessions sessions) {
        return new RpcServer(options, sessions);
    }

    /** Binds a port, but accepts no connections until {@link #serve}: the services need to know the ports first. */
    public int listen(int port) throws IOException {
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(UNSENT_BYTES_MAX / 4, UNSENT_BYTES_MAX))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel);
                    }
                })
                .bind(options.host(), port)
                .awaitUninterruptibly();
        Throwable cause = bound.cause();
        if (cause != null) {
            throw cause instanceof BindException taken
                    ? taken
                    : new IOException(String.valueOf(cause.getMessage()), cause);
        }
        listeners.add(bound.channel());
        return ((InetSocketAddress) bound.channel().localAddress()).getPort();
    }

    public void serve(Services services, CallListener tally) {
        context = new WireContext(options, services, workers, tally);
        listeners.forEach(listener -> listener.config().setAutoRead(true));
    }

    private void accept(Channel channel) {
        WireContext served = context;
        if (served == null) {
            channel.unsafe().closeForcibly();
            return;
        }
        Connection connection = new Connection(served);
        channel.pipeline().addLast(new FlushConsolidationHandler(FLUSHES_MAX, true), connection);
        if (connections.size() >= options.connectionsMax() || !connection.register(sessions, channel)) {
            channel.eventLoop()
                    .execute(() -> connection.giveUp(new FatalConnectionException(
                            "There are " + options.connectionsMax() + " connections, which is the most that may be")));
            return;
        }
        connections.add(channel);
    }

    public int connectionCount() {
        return connections.size();
    }

    /** The bytes of responses that no client has taken yet. */
    long unsentBytes() {
        WireContext served = context;
        return served == null ? 0 : served.answers().heldBytes();
    }

    @Override
    public void close() {
        listeners.forEach(listener -> listener.close().awaitUninterruptibly());
        workers.shutdown();
        try {
            if (!workers.awaitTermination(CLOSE_MILLIS_MAX, TimeUnit.MILLISECONDS)) {
                workers.shutdownNow();
            }
        } catch (InterruptedException stopping) {
            workers.shutdownNow();
            Thread.currentThread().interrupt();
        }
        connections.close().awaitUninterruptibly(CLOSE_MILLIS_MAX);
        loops.shutdownGracefully(0, CLOSE_MILLIS_MAX, TimeUnit.MILLISECONDS).awaitUninterruptibly(2 * CLOSE_MILLIS_MAX);
    }
}
