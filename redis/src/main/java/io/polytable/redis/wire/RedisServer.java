package io.polytable.redis.wire;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.command.node.Node;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A Redis server: listens on a port and serves connections until closed. */
// The sampling of rates ends with its loop, so its future is ignored.
@SuppressWarnings("FutureReturnValueIgnored")
public final class RedisServer implements AutoCloseable {
    private static final int BACKLOG = 511;
    private static final int READ_BYTES_MAX = 64 * 1024;
    private static final long FAREWELL_MILLIS_MAX = 2_000;

    private final RedisOptions options;
    private final Node node;
    private final LoopGroup loops;
    private final Workers workers;
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final boolean epoll;
    private @Nullable Channel listener;

    public RedisServer(RedisOptions options, Node node, CommandTable table) {
        this.options = options;
        this.node = node;
        this.epoll = Epoll.isAvailable();
        IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        this.workers = new Workers(
                options.threads(),
                () -> new Dispatcher(node, table, node.statistics().newTally(table)));
        this.loops = new LoopGroup(options.threads(), io, new ServerContext(node, table, workers));
    }

    /**
     * Starts listening.
     *
     * @throws CannotListenException when the address cannot be bound
     */
    public RedisServer start() {
        ChannelFuture bound = bootstrap().bind(options.host(), options.port()).awaitUninterruptibly();
        Throwable cause = bound.cause();
        if (cause != null) {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
            throw new CannotListenException(options.host(), options.port(), cause);
        }
        listener = bound.channel();
        loops.next()
                .scheduleAtFixedRate(() -> node.statistics().sample(node.clock().millis()), 0, 1, TimeUnit.SECONDS);
        node.settings().describe("port", Integer.toString(port()));
        node.settings().describe("bind", options.host());
        return this;
    }

    private ServerBootstrap bootstrap() {
        ConnectionAcceptor welcome = new ConnectionAcceptor(node, channels);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, reads())
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(Connection.UNSENT_BYTES_MAX / 4, Connection.UNSENT_BYTES_MAX))
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(welcome);
                    }
                });
        keepAlive(bootstrap);
        return bootstrap;
    }

    /** One read per turn, so that a connection that sends without end does not starve the others. */
    private static AdaptiveRecvByteBufAllocator reads() {
        AdaptiveRecvByteBufAllocator reads = new AdaptiveRecvByteBufAllocator(512, 2048, READ_BYTES_MAX);
        reads.maxMessagesPerRead(1);
        return reads;
    }

    private void keepAlive(ServerBootstrap bootstrap) {
        int seconds = (int) node.settings().tcpKeepaliveSeconds();
        bootstrap.childOption(ChannelOption.SO_KEEPALIVE, seconds > 0);
        if (epoll && seconds > 0) {
            bootstrap.childOption(EpollChannelOption.TCP_KEEPIDLE, seconds);
            bootstrap.childOption(EpollChannelOption.TCP_KEEPINTVL, Math.max(1, seconds / 3));
            bootstrap.childOption(EpollChannelOption.TCP_KEEPCNT, 3);
        }
    }

    /** The port it listens on. */
    public int port() {
        Channel channel = listener;
        if (channel == null) {
            throw new IllegalStateException("the server was not started");
        }
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** Stops listening, lets pending replies leave, and closes all connections. */
    @Override
    public void close() {
        Channel channel = listener;
        if (channel != null) {
            channel.close().awaitUninterruptibly();
        }
        for (Session session : node.clients().all()) {
            session.peer().closeAfterReplies();
        }
        channels.newCloseFuture().awaitUninterruptibly(FAREWELL_MILLIS_MAX);
        channels.close().awaitUninterruptibly(FAREWELL_MILLIS_MAX);
        node.scripts().stop();
        workers.close();
        loops.shutdownGracefully(0, FAREWELL_MILLIS_MAX, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(2 * FAREWELL_MILLIS_MAX);
    }
}
