package io.polytable.redis.wire;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.polytable.frontend.net.Listener;
import io.polytable.frontend.net.Network;
import io.polytable.frontend.net.Transport;
import io.polytable.frontend.session.ClientAddress;
import io.polytable.frontend.session.Principal;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.command.node.Node;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A Redis server: listens on a port and serves connections until closed. */
// The sampling of rates ends with its loop, so its future is ignored.
@SuppressWarnings("FutureReturnValueIgnored")
public final class RedisServer implements AutoCloseable {
    private static final int BACKLOG = 511;
    private static final int READ_BYTES_MAX = 64 * 1024;
    private static final byte[] FULL = "-ERR max number of clients reached\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final RedisOptions options;
    private final Node node;
    private final LoopGroup loops;
    private final LongCommands workers;
    private final Listener listener;
    private int port;

    /** @param transport what lies between a connection's socket and the protocol */
    public RedisServer(RedisOptions options, Node node, CommandTable table, Transport transport) {
        this.options = options;
        this.node = node;
        this.workers = new LongCommands(
                options.threads(),
                () -> new Dispatcher(node, table, node.statistics().newTally(table)));
        this.loops = new LoopGroup(options.threads(), Network.io(), new ServerContext(node, table, workers));
        this.listener = listener(transport);
    }

    /**
     * Starts listening.
     *
     * @throws io.polytable.frontend.net.CannotListenException when the address cannot be bound
     */
    public RedisServer start() {
        port = listener.bind("redis", new InetSocketAddress(options.host(), options.port()));
        loops.next().scheduleAtFixedRate(node::sample, 0, 1, TimeUnit.SECONDS);
        node.settings().describe("port", Integer.toString(port));
        node.settings().describe("bind", options.host());
        return this;
    }

    private Listener listener(Transport transport) {
        Listener.Builder plan = Listener.on(loops)
                .transport(transport)
                .backlog(BACKLOG)
                .connectionsMax(() -> node.settings().maxClients())
                .unsentBytesMax(Connection.UNSENT_BYTES_MAX)
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.RECVBUF_ALLOCATOR, reads())
                .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .accepted(this::connect)
                .refused(this::refuse);
        int seconds = (int) node.settings().tcpKeepaliveSeconds();
        plan.option(ChannelOption.SO_KEEPALIVE, seconds > 0);
        if (Epoll.isAvailable() && seconds > 0) {
            plan.option(EpollChannelOption.TCP_KEEPIDLE, seconds);
            plan.option(EpollChannelOption.TCP_KEEPINTVL, Math.max(1, seconds / 3));
            plan.option(EpollChannelOption.TCP_KEEPCNT, 3);
        }
        return plan.open();
    }

    /** One read per turn, so that a connection that sends without end does not starve the others. */
    private static AdaptiveRecvByteBufAllocator reads() {
        AdaptiveRecvByteBufAllocator reads = new AdaptiveRecvByteBufAllocator(512, 2048, READ_BYTES_MAX);
        reads.maxMessagesPerRead(1);
        return reads;
    }

    private Principal principal(String address) {
        return node.users().isPasswordRequired(ClientAddress.of(address)) ? Principal.ANONYMOUS : Principal.ROOT;
    }

    private void connect(Channel channel) {
        ChannelPeer peer = new ChannelPeer(channel);
        node.clients()
                .enter(peer.address(), principal(peer.address()), peer)
                .ifPresentOrElse(
                        registered -> {
                            Turn turn = ((Loop) channel.eventLoop()).turn();
                            Session session = new Session(
                                    registered,
                                    peer,
                                    node.clock().millis(),
                                    node.accounts().defaultAccount());
                            node.clients().add(session);
                            channel.closeFuture()
                                    .addListener(closed -> node.clients().leave(session));
                            channel.pipeline().addLast(new Connection(turn, channel, session));
                        },
                        () -> refuse(channel));
    }

    private void refuse(Channel channel) {
        node.clients().reject();
        channel.writeAndFlush(Unpooled.wrappedBuffer(FULL)).addListener(ChannelFutureListener.CLOSE);
    }

    /** The port it listens on. */
    public int port() {
        return port;
    }

    /** Stops listening, lets pending replies leave, and closes all connections. */
    @Override
    public void close() {
        listener.stopAccepting();
        node.clients().all().forEach(session -> session.peer().closeAfterReplies());
        listener.awaitFarewell();
        listener.close();
        node.scripts().stop();
        workers.close();
        Network.close(loops);
    }
}
