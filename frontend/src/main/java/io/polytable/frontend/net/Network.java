package io.polytable.frontend.net;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The event loops of a process, shared by all protocols that only decode, encode and pass calls on. A protocol that runs
 * its commands on event loops has loops of its own: a long command must not delay the answers of another protocol.
 */
public final class Network implements AutoCloseable {
    private static final int LOOPS = 2;
    private static final long CLOSE_MILLIS_MAX = 2_000;

    private final EventLoopGroup loops;
    private final Function<String, Transport> transports;

    /** A network without TLS. */
    public Network() {
        this(protocol -> Transport.PLAIN);
    }

    /** @param transports the handlers beneath those of a protocol, by its name */
    public Network(Function<String, Transport> transports) {
        this.transports = transports;
        loops = new MultiThreadIoEventLoopGroup(LOOPS, new DefaultThreadFactory("net", true), io());
    }

    /** How loops wait for their sockets: with epoll where the system has it. */
    public static IoHandlerFactory io() {
        return Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    }

    /** Starts the description of a listener for a protocol, on the shared loops. */
    public Listener.Builder listener(String protocol) {
        return Listener.on(loops).transport(transport(protocol));
    }

    /** The handlers beneath those of a protocol that has loops of its own. */
    public Transport transport(String protocol) {
        return transports.apply(protocol);
    }

    /** Ends the loops; the listeners on them are closed before. */
    @Override
    public void close() {
        close(loops);
    }

    /** Ends loops within a bounded time. */
    public static void close(EventLoopGroup loops) {
        loops.shutdownGracefully(0, CLOSE_MILLIS_MAX, TimeUnit.MILLISECONDS).awaitUninterruptibly(2 * CLOSE_MILLIS_MAX);
    }
}
