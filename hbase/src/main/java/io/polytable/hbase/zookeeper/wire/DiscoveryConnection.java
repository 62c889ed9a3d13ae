package io.polytable.hbase.zookeeper.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.polytable.hbase.zookeeper.NodeTree;
import io.polytable.hbase.zookeeper.Requests;
import io.polytable.hbase.zookeeper.Watches;
import io.polytable.hbase.zookeeper.Watches.Fired;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.jute.BinaryInputArchive;
import org.apache.jute.BinaryOutputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.ConnectRequest;
import org.apache.zookeeper.proto.ConnectResponse;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.proto.RequestHeader;
import org.apache.zookeeper.proto.WatcherEvent;

/**
 * A client's connection: the handshake, then requests. A session is no more than its connection, so a client may come
 * back with any session of an earlier one. It sees one tree until the next is published to it on its event loop.
 */
// Nothing depends on the futures of close and of writes.
@SuppressWarnings("FutureReturnValueIgnored")
final class DiscoveryConnection extends SimpleChannelInboundHandler<ByteBuf> {
    private static final int HANDSHAKE_MILLIS_MAX = 10_000;

    /** The bounds of a session's timeout, as ZooKeeper's by default. */
    private static final int TIMEOUT_MILLIS_MIN = 4_000;

    private static final int TIMEOUT_MILLIS_MAX = 40_000;
    private static final int PASSWORD_BYTES = 16;
    private static final int EVENT_XID = -1;
    private static final String IDLE = "idle";

    private final DiscoveryServer server;
    private final RefusalLog refusals;
    private final Watches watches;
    private final Requests requests;
    private NodeTree seen;
    private boolean connected;
    private Optional<ChannelHandlerContext> channel = Optional.empty();
    private Optional<InetAddress> host = Optional.empty();

    DiscoveryConnection(DiscoveryServer server, Watches.Room watchRoom, RefusalLog refusals) {
        this.server = server;
        this.refusals = refusals;
        watches = new Watches(watchRoom);
        requests = new Requests(watches, this::send);
        seen = server.tree();
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        InetAddress from = ((InetSocketAddress) active.channel().remoteAddress()).getAddress();
        host = Optional.of(from);
        channel = Optional.of(active);
        if (!server.enter(this, from)) {
            refuse(active, DiscoveryServer.TOO_MANY);
            return;
        }
        // Read only now: what is published from here on reaches this connection.
        seen = server.tree();
        closeWhenIdle(active, HANDSHAKE_MILLIS_MAX);
    }

    private static void closeWhenIdle(ChannelHandlerContext active, int millis) {
        if (active.pipeline().get(IDLE) != null) {
            active.pipeline().remove(IDLE);
        }
        active.pipeline().addFirst(IDLE, new IdleStateHandler(millis, 0, 0, TimeUnit.MILLISECONDS));
    }

    private void refuse(ChannelHandlerContext active, String reason) {
        refusals.closed(active.channel().remoteAddress(), reason);
        active.close();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext active, ByteBuf frame) {
        try {
            if (connected) {
                request(active, frame);
            } else {
                connect(active, frame);
            }
        } catch (IOException | RuntimeException malformed) {
            refuse(active, connected ? "malformed request" : "not a connect request of ZooKeeper");
        }
    }

    private void connect(ChannelHandlerContext active, ByteBuf frame) throws IOException {
        ConnectRequest asked = new ConnectRequest();
        asked.deserialize(new BinaryInputArchive(new ByteBufInputStream(frame)), "connect");
        if (asked.getProtocolVersion() != 0) {
            throw new IOException("protocol version " + asked.getProtocolVersion());
        }
        connected = true;
        int timeout = Math.min(Math.max(asked.getTimeOut(), TIMEOUT_MILLIS_MIN), TIMEOUT_MILLIS_MAX);
        closeWhenIdle(active, timeout);
        long session = asked.getSessionId() == 0
                ? ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE)
                : asked.getSessionId();
        ByteBuf reply = active.alloc().buffer();
        reply.writeInt(0);
        BinaryOutputArchive out = new BinaryOutputArchive(new ByteBufOutputStream(reply));
        new ConnectResponse(0, timeout, session, new byte[PASSWORD_BYTES]).serialize(out, "connect");
        // Not the read-only mode of a ZooKeeper without a quorum, which clients must ask for.
        out.writeBool(false, "readOnly");
        active.writeAndFlush(reply.setInt(0, reply.readableBytes() - Integer.BYTES));
    }

    private void request(ChannelHandlerContext active, ByteBuf frame) throws IOException {
        BinaryInputArchive in = new BinaryInputArchive(new ByteBufInputStream(frame));
        RequestHeader header = new RequestHeader();
        header.deserialize(in, "header");
        Optional<Record> body = Optional.empty();
        int error = KeeperException.Code.OK.intValue();
        catchUp();
        try {
            body = requests.answer(header.getType(), in, seen);
        } catch (KeeperException refused) {
            error = refused.code().intValue();
        }
        ByteBuf reply = framed(active, new ReplyHeader(header.getXid(), seen.transaction(), error), body);
        if (header.getType() == OpCode.closeSession) {
            active.writeAndFlush(reply).addListener(ChannelFutureListener.CLOSE);
        } else {
            active.writeAndFlush(reply);
        }
    }

    private static ByteBuf framed(ChannelHandlerContext active, ReplyHeader header, Optional<Record> body)
            throws IOException {
        ByteBuf reply = active.alloc().buffer();
        reply.writeInt(0);
        BinaryOutputArchive out = new BinaryOutputArchive(new ByteBufOutputStream(reply));
        header.serialize(out, "header");
        if (body.isPresent()) {
            body.get().serialize(out, "body");
        }
        return reply.setInt(0, reply.readableBytes() - Integer.BYTES);
    }

    private void send(Fired event) {
        channel.ifPresent(active -> {
            try {
                WatcherEvent body = new WatcherEvent(
                        event.type().getIntValue(), KeeperState.SyncConnected.getIntValue(), event.path());
                active.writeAndFlush(framed(active, new ReplyHeader(EVENT_XID, -1, 0), Optional.of(body)));
            } catch (IOException impossible) {
                throw new IllegalStateException(impossible);
            }
        });
    }

    /** Notifies the client of a tree that was published; called on any thread. */
    void published() {
        channel.ifPresent(active -> active.executor().execute(this::catchUp));
    }

    /** Moves on to the current tree. The client gets the events of a change before it can read the change. */
    private void catchUp() {
        NodeTree before = seen;
        seen = server.tree();
        watches.fire(before, seen).forEach(this::send);
    }

    /** A client that does not read its replies is not read either. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext active) {
        active.channel().config().setAutoRead(active.channel().isWritable());
        active.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext inactive) {
        host.ifPresent(from -> server.leave(this, from));
        watches.clear();
        inactive.fireChannelInactive();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext active, Object event) {
        if (event instanceof IdleStateEvent) {
            active.close();
        } else {
            active.fireUserEventTriggered(event);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext active, Throwable failure) {
        if (failure instanceof TooLongFrameException || failure instanceof CorruptedFrameException) {
            refuse(active, "not a request of ZooKeeper, or too long");
        } else {
            // A disconnected client is no error.
            active.close();
        }
    }
}
