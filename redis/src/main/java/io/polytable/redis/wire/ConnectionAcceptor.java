package io.polytable.redis.wire;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.group.ChannelGroup;
import io.polytable.frontend.session.Principal;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.node.Node;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Accepts a new channel: creates its {@link Connection}, or rejects it when {@code maxclients} are connected. */
@Sharable
final class ConnectionAcceptor extends ChannelInboundHandlerAdapter {
    private static final byte[] FULL = "-ERR max number of clients reached\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final Node node;
    private final ChannelGroup channels;

    ConnectionAcceptor(Node node, ChannelGroup channels) {
        this.node = node;
        this.channels = channels;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        Channel channel = context.channel();
        channels.add(channel);
        ChannelPeer peer = new ChannelPeer(channel);
        Principal principal = node.settings().needsPassword() ? Principal.ANONYMOUS : Principal.ROOT;
        Optional<io.polytable.frontend.session.Session> registered =
                node.clients().enter(node.settings().maxClients(), peer.address(), principal, peer);
        if (registered.isEmpty()) {
            channel.writeAndFlush(Unpooled.wrappedBuffer(FULL)).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        Turn turn = ((Loop) channel.eventLoop()).turn();
        Session session = new Session(registered.get(), peer, node.clock().millis());
        Connection connection = new Connection(turn, channel, session);
        node.clients().add(session);
        turn.add(connection);
        context.pipeline().replace(this, null, connection);
    }
}
