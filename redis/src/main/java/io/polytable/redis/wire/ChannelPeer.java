package io.polytable.redis.wire;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.polytable.frontend.session.Session;
import io.polytable.frontend.session.Session.Activity;
import io.polytable.frontend.session.Session.Client;
import io.polytable.redis.command.Peer;
import io.polytable.redis.command.PushQueue;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Waiter;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** The {@link Peer} of a Netty channel. */
// A failure to close needs no handling.
@SuppressWarnings("FutureReturnValueIgnored")
final class ChannelPeer implements Peer, Client {
    /** Redis' repl-timeout. */
    private static final int WRITE_SECONDS_MAX = 60;

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
    public void write(byte[] bytes, int length) throws IOException {
        ChannelFuture sent = channel.writeAndFlush(Unpooled.copiedBuffer(bytes, 0, length));
        try {
            if (!sent.await(WRITE_SECONDS_MAX, TimeUnit.SECONDS)) {
                channel.close();
                throw new IOException("it takes nothing for " + WRITE_SECONDS_MAX + " seconds");
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", stopping);
        }
        if (!sent.isSuccess()) {
            throw new IOException("the connection is closed", sent.cause());
        }
    }

    @Override
    public PushQueue queue() {
        return queue;
    }
}
