package io.polytable.server.wire;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.polytable.frontend.limit.Budget;
import io.polytable.server.http.RouteTable;
import io.polytable.server.metrics.MetricSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The HTTP port. It has one event loop, since it serves operators rather than high load. */
public final class HttpServer implements AutoCloseable {
    private static final long STOP_SECONDS_MAX = 5;

    private final HttpMetrics metrics = new HttpMetrics();
    private final RouteExecutor executor;
    private final EventLoopGroup loops =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("http"), NioIoHandler.newFactory());
    private final HttpLimits limits;
    private final RouteTable routes;
    private Optional<Channel> listener = Optional.empty();
    private int port;

    private HttpServer(HttpLimits limits, Supplier<Budget> bodies, RouteTable routes) {
        executor = new RouteExecutor(metrics, bodies);
        this.limits = limits;
        this.routes = routes;
    }

    /**
     * Starts to listen. Throws the operating system's error, usually that the port is in use.
     *
     * @param bodies the current budget for bodies of requests that run on a worker, or wait for one
     */
    public static HttpServer start(
            InetSocketAddress address, HttpLimits limits, Supplier<Budget> bodies, RouteTable routes)
            throws IOException {
        HttpServer server = new HttpServer(limits, bodies, routes);
        try {
            server.bind(address);
            return server;
        } catch (IOException failure) {
            server.close();
            throw failure;
        }
    }

    private void bind(InetSocketAddress address) throws IOException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(HttpLimits.READ_BYTES))
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        connect(channel);
                    }
                });
        ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw bound.cause() instanceof IOException failure ? failure : new IOException(bound.cause());
        }
        listener = Optional.of(bound.channel());
        port = ((InetSocketAddress) bound.channel().localAddress()).getPort();
    }

    public int port() {
        return port;
    }

    public MetricSource metrics() {
        return metrics;
    }

    private void connect(SocketChannel channel) {
        // The channel remembers the address from here on, also when the client is gone.
        boolean isGone = channel.remoteAddress() == null;
        if (isGone || !metrics.connected(limits.connectionsMax())) {
            var unused = channel.close();
            return;
        }
        channel.closeFuture().addListener(closed -> metrics.disconnected());
        Deadline deadline = new Deadline(limits);
        channel.pipeline()
                .addLast(deadline)
                .addLast(new HttpServerCodec(new HttpDecoderConfig()
                        .setMaxInitialLineLength(HttpLimits.LINE_BYTES_MAX)
                        .setMaxHeaderSize(limits.headerBytesMax())))
                .addLast(new BodyAggregator(limits.bodyBytesMax()))
                .addLast(new RequestHandler(routes, executor, deadline));
    }

    /** Stops listening, lets running answers finish, closes every connection. */
    @Override
    public void close() {
        listener.ifPresent(open -> open.close().awaitUninterruptibly());
        executor.close();
        loops.shutdownGracefully(0, STOP_SECONDS_MAX, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
