package io.polytable.server.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.polytable.frontend.http.Routes;
import io.polytable.frontend.limit.Budget;
import io.polytable.frontend.metric.MetricSource;
import io.polytable.frontend.net.Listener;
import io.polytable.frontend.net.Network;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/** The HTTP port. */
public final class HttpServer implements AutoCloseable {
    private final HttpMetrics metrics;
    private final RouteExecutor executor;
    private final Supplier<Budget> bodies;
    private final HttpLimits limits;
    private final RequestRate rate;
    private final Routes routes;
    private final WaitingConnections waiting = new WaitingConnections();
    private final Listener listener;
    private int port;

    private HttpServer(Network network, HttpLimits limits, Supplier<Budget> bodies, Routes routes) {
        this.limits = limits;
        rate = new RequestRate(limits.requestsPerSecondMax(), System::nanoTime);
        this.bodies = bodies;
        this.routes = routes;
        listener = network.listener("http")
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(HttpLimits.READ_BYTES))
                .connectionsMax(limits::connectionsMax)
                .makesRoom(waiting::closeOldest)
                .accepted(this::connect)
                .open();
        metrics = new HttpMetrics(listener::connectionCount);
        executor = new RouteExecutor(metrics, bodies);
    }

    /**
     * Starts to listen.
     *
     * @param bodies the current budget for bodies of requests that run on a worker, or wait for one
     * @throws io.polytable.frontend.net.CannotListenException if the address cannot be bound
     */
    public static HttpServer start(
            Network network, InetSocketAddress address, HttpLimits limits, Supplier<Budget> bodies, Routes routes) {
        HttpServer server = new HttpServer(network, limits, bodies, routes);
        server.port = server.listener.bind("http", address);
        return server;
    }

    public int port() {
        return port;
    }

    public MetricSource metrics() {
        return metrics;
    }

    private void connect(Channel channel) {
        // The channel remembers the address from here on, also when the client is gone.
        if (channel.remoteAddress() == null) {
            var unused = channel.close();
            return;
        }
        Deadline deadline = new Deadline(limits, waiting);
        channel.pipeline()
                .addLast(deadline)
                .addLast(new HttpServerCodec(new HttpDecoderConfig()
                        .setMaxInitialLineLength(HttpLimits.LINE_BYTES_MAX)
                        .setMaxHeaderSize(limits.headerBytesMax())))
                .addLast(new BodyAggregator(limits.bodyBytesMax(), bodies))
                .addLast(new RequestHandler(routes, executor, deadline, limits.cors(), rate));
    }

    /** Stops listening, lets running answers finish, closes every connection. */
    @Override
    public void close() {
        listener.stopAccepting();
        executor.close();
        listener.close();
    }
}
