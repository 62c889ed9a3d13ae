package io.polytable.redis.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Future;
import io.polytable.redis.command.config.OutputLimit;
import io.polytable.redis.command.node.Tally;
import org.jspecify.annotations.Nullable;

/**
 * The replies of one connection on their way out: written in this turn, held until durable, or taken by the channel and
 * not yet by the client.
 */
// Where a channel's future is ignored: a write or close that fails ends the channel, and the handler hears of that.
@SuppressWarnings("FutureReturnValueIgnored")
final class Output implements ReplyWriter.Sink {
    /** Beyond so many parts Netty would merge them by copying. */
    private static final int PARTS_MAX = Integer.MAX_VALUE;

    private final Channel channel;
    private final Tally tally;
    private @Nullable ByteBuf replies;

    /** What comes before {@link #replies} and shares buffers with other outputs. */
    private @Nullable CompositeByteBuf earlier;

    private long heldBytes;
    private boolean last;
    private boolean lingers;
    private boolean finished;
    private long slowSinceMillis;

    Output(Channel channel, Tally tally) {
        this.channel = channel;
        this.tally = tally;
    }

    @Override
    public void take(byte[] bytes, int offset, int length) {
        ByteBuf out = replies;
        if (out == null) {
            out = channel.alloc().directBuffer(length);
            replies = out;
        }
        out.writeBytes(bytes, offset, length);
    }

    /** A buffer that others may send too; it belongs to this output now. */
    void take(ByteBuf shared) {
        CompositeByteBuf parts = earlier;
        if (parts == null) {
            parts = channel.alloc().compositeDirectBuffer(PARTS_MAX);
            earlier = parts;
        }
        ByteBuf out = replies;
        if (out != null) {
            parts.addComponent(true, out);
            replies = null;
        }
        parts.addComponent(true, shared);
    }

    /** Whether there is something to do when the turn ends. */
    boolean isDirty() {
        return replies != null || earlier != null || last;
    }

    /** After what was answered so far the channel closes. */
    void closeWhenSent() {
        last = true;
    }

    /** After what was answered so far nothing more is sent, but the channel stays open for what still comes. */
    void finishWhenSent() {
        lingers = true;
    }

    /** Whether the client was told that nothing more comes. */
    boolean isFinished() {
        return finished;
    }

    /** The turn is over and what the replies tell of is durable. */
    void send() {
        write(takeReplies());
    }

    /** The replies of this turn, to be given back with {@link #sendHeld} when they may go. */
    ByteBuf hold() {
        ByteBuf out = takeReplies();
        heldBytes += out.readableBytes();
        return out;
    }

    void sendHeld(ByteBuf out) {
        heldBytes -= out.readableBytes();
        write(out);
    }

    /** What the replies tell of is lost: the client must not hear it, and must not wait for it either. */
    void drop(ByteBuf out) {
        out.release();
        channel.close();
    }

    private ByteBuf takeReplies() {
        ByteBuf out = replies;
        CompositeByteBuf parts = earlier;
        replies = null;
        earlier = null;
        if (parts != null) {
            return out == null ? parts : parts.addComponent(true, out);
        }
        return out == null ? Unpooled.EMPTY_BUFFER : out;
    }

    private void write(ByteBuf out) {
        tally.sent(out.readableBytes());
        if (last && heldBytes == 0) {
            ChannelFuture sent = channel.writeAndFlush(out);
            if (lingers) {
                sent.addListener(this::finish);
            } else {
                sent.addListener(ChannelFutureListener.CLOSE);
            }
        } else {
            channel.writeAndFlush(out, channel.voidPromise());
        }
    }

    private void finish(Future<? super Void> sent) {
        if (sent.isSuccess() && channel instanceof DuplexChannel duplex && !duplex.isInputShutdown()) {
            duplex.shutdownOutput();
            finished = true;
        } else {
            channel.close();
        }
    }

    /** What the channel has not taken yet. */
    long waitingBytes() {
        ByteBuf out = replies;
        CompositeByteBuf parts = earlier;
        return heldBytes + (out == null ? 0 : out.readableBytes()) + (parts == null ? 0 : parts.readableBytes());
    }

    /** What the client has not taken yet, as far as we know. */
    long unsentBytes() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return waitingBytes() + (buffer == null ? 0 : buffer.totalPendingWriteBytes());
    }

    /** Asked once a second. */
    boolean exceedsSoft(OutputLimit limit, long nowMillis) {
        if (limit.softBytes() == 0 || unsentBytes() <= limit.softBytes()) {
            slowSinceMillis = nowMillis;
        }
        return nowMillis - slowSinceMillis > limit.softSeconds() * 1000;
    }
}
