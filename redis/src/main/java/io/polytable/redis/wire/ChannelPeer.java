package io.polytable.redis.wire;

import io.netty.channel.Channel;
import io.polytable.frontend.session.Session;
import io.polytable.frontend.session.Session.Activity;
import io.polytable.frontend.session.Session.Client;
import io.polytable.redis.command.Peer;
import io.polytable.redis.command.PushQueue;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Waiter;
import java.util.concurrent.RejectedExecutionException;

/** The {@link Peer} of a Netty channel. */
// A failure to close needs no handling.
@SuppressWarnings("FutureReturnValueIgnored")
final class ChannelPeer implements Peer, Client {
    private final Channel channel;
    private final String address;
    private final String localAddress;
    private final PushQueue queue;

    ChannelPeer(Channel channel) {
        this.channel = channel;
        this.address = Session.address(channel.remoteAddress());
        this.localAddress = Session.address(channel.localAddress());
        this.queue = ((Loop) channel.eventLoop()).turn().push();
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public String localAddress() {
        return localAddress;
    }

    @Override
    public long queryBytes() {
        Connection connection = channel.pipeline().get(Connection.class);
        return connection == null ? 0 : connection.queryBytes();
    }

    @Override
    public long outputBytes() {
        Connection connection = channel.pipeline().get(Connection.class);
        return connection == null ? 0 : connection.output().unsentBytes();
    }

    @Override
    public Activity activity() {
        Connection connection = channel.pipeline().get(Connection.class);
        return connection == null ? Activity.NONE : connection.session().activity();
    }

    @Override
    public void close() {
        channel.close();
    }

    @Override
    public void closeAfterReplies() {
        Connection connection = channel.pipeline().get(Connection.class);
        if (connection == null) {
            return;
        }
        if (channel.eventLoop().inEventLoop()) {
            connection.endAfterReplies();
        } else {
            channel.eventLoop().execute(connection::endAfterReplies);
        }
    }

    /** Always as a task: the caller holds stripes, and may be on the connection's own loop. */
    @Override
    public void answer(Waiter waiter, Reply reply) {
        Connection connection = channel.pipeline().get(Connection.class);
        if (connection != null) {
            later(() -> connection.answerBlocked(waiter, reply));
        }
    }

    @Override
    public void retry(Waiter waiter) {
        Connection connection = channel.pipeline().get(Connection.class);
        if (connection != null) {
            later(() -> connection.retry(waiter));
        }
    }

    private void later(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException stopping) {
            // The server stops: the connection is gone.
            channel.close();
        }
    }

    @Override
    public PushQueue queue() {
        return queue;
    }
}
