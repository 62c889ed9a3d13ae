package io.polytable.server.wire;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection that takes too long: to start a request, to complete one, or to read its reply. A request that
 * arrives a byte a minute times out like one that never comes.
 */
final class Deadline extends ChannelInboundHandlerAdapter {
    private final HttpLimits limits;
    private final WaitingConnections connections;
    private Phase phase = Phase.WAITING;
    private @Nullable Future<?> alarm;

    private enum Phase {
        WAITING,
        RECEIVING,
        ANSWERING
    }

    Deadline(HttpLimits limits, WaitingConnections connections) {
        this.limits = limits;
        this.connections = connections;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        connections.add(context.channel());
        arm(context, limits.idleTimeout());
        super.channelActive(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) throws Exception {
        if (phase == Phase.WAITING) {
            phase = Phase.RECEIVING;
            arm(context, limits.requestTimeout());
        }
        super.channelRead(context, bytes);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        disarm();
        connections.remove(context.channel());
        super.channelInactive(context);
    }

    /** The request is complete; the time of its answer is not limited here. */
    void answering(ChannelHandlerContext context) {
        phase = Phase.ANSWERING;
        connections.remove(context.channel());
        disarm();
    }

    /** The reply is being sent; the client must read it in time. */
    void sending(ChannelHandlerContext context) {
        arm(context, limits.requestTimeout());
    }

    /** The reply is sent. */
    void waiting(ChannelHandlerContext context) {
        phase = Phase.WAITING;
        connections.add(context.channel());
        arm(context, limits.idleTimeout());
    }

    private void arm(ChannelHandlerContext context, Duration delay) {
        disarm();
        alarm = context.executor().schedule((Runnable) () -> tooLate(context), delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void tooLate(ChannelHandlerContext context) {
        var unused = context.close();
    }

    private void disarm() {
        if (alarm != null) {
            alarm.cancel(false);
            alarm = null;
        }
    }
}
