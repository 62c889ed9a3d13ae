package io.polytable.hbase.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.polytable.frontend.net.Listener;
import io.polytable.frontend.net.Network;
import io.polytable.frontend.net.Workers;
import io.polytable.frontend.session.Sessions;
import io.polytable.hbase.rpc.CallListener;
import io.polytable.hbase.rpc.Services;
import java.net.InetSocketAddress;
import org.apache.hadoop.hbase.ipc.FatalConnectionException;
import org.jspecify.annotations.Nullable;

/**
 * The RPC server. It listens on the ports of a master and of a region server. Both serve all services; the connection
 * header selects one.
 */
public final class RpcServer implements AutoCloseable {
    private static final int WAITING_CALLS_MAX = 10_000;
    private static final int UNSENT_BYTES_MAX = 8 << 20;
    private static final int FLUSHES_MAX = 64;
    private static final long CLOSE_SECONDS_MAX = 2;

    private final WireOptions options;
    private final Sessions sessions;
    private final Workers workers;
    private final Listener listener;
    private volatile @Nullable WireContext context;

    /**
     * A server that does not listen yet.
     *
     * @param sessions the registry of the sessions of all protocols
     */
    public RpcServer(WireOptions options, Network network, Sessions sessions) {
        this.options = options;
        this.sessions = sessions;
        workers = new Workers("hbase-call", options.threads(), WAITING_CALLS_MAX, CLOSE_SECONDS_MAX);
        listener = network.listener("hbase")
                .option(ChannelOption.SO_KEEPALIVE, true)
                .unsentBytesMax(UNSENT_BYTES_MAX)
                .connectionsMax(options::connectionsMax)
                .paused()
                .accepted(channel -> accept(channel, true))
                .refused(channel -> accept(channel, false))
                .open();
    }

    /**
     * Binds a port, but accepts no connections until {@link #serve}: the services need to know the ports first.
     *
     * @param name as in the ready line
     * @throws io.polytable.frontend.net.CannotListenException if it cannot be bound
     */
    public int listen(String name, int port) {
        return listener.bind(name, new InetSocketAddress(options.host(), port));
    }

    public void serve(Services services, CallListener tally) {
        context = new WireContext(options, services, workers, tally);
        listener.accept();
    }

    private void accept(Channel channel, boolean isAdmitted) {
        WireContext served = context;
        if (served == null) {
            channel.unsafe().closeForcibly();
            return;
        }
        Connection connection = new Connection(served);
        channel.pipeline().addLast(new FlushConsolidationHandler(FLUSHES_MAX, true), connection);
        if (!isAdmitted || !connection.register(sessions, channel)) {
            channel.eventLoop()
                    .execute(() -> connection.giveUp(new FatalConnectionException(
                            "There are " + options.connectionsMax() + " connections, which is the most that may be")));
        }
    }

    public int connectionCount() {
        return listener.connectionCount();
    }

    /** The bytes of responses that no client has taken yet. */
    long unsentBytes() {
        WireContext served = context;
        return served == null ? 0 : served.answers().heldBytes();
    }

    @Override
    public void close() {
        listener.stopAccepting();
        workers.close();
        listener.close();
    }
}
