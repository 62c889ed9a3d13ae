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
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The replies of one connection on their way out: written in this turn, held until durable, or taken by the channel and
 * not yet by the client.
 */
// Where a channel's future is ignored: a write or close that fails ends the channel, and the handler hears of that.
@SuppressWarnings("FutureReturnValueIgnored")
final class Output implements ReplyWriter.Sink {
    /** So much of each connection is not counted: usual clients share nothing with others. */
    private static final int FREE_BYTES = 32 * 1024;

    /** What is more is counted by so many. */
    private static final int STEP_BYTES = 64 * 1024;

    private static final int SMALL_BYTES = 256;

    /** What is longer is kept in parts, each with room for as much as all before it: a buffer that grows would be copied. */
    private static final int FIRST_PART_BYTES = 16 * 1024;

    private static final int PART_BYTES_MAX = 1 << 20;

    private static final long NOT_SLOW = -1;

    private final Channel channel;
    private final Tally tally;
    private final ClientShare share;
    private @Nullable ByteBuf replies;

    /** What was answered in this turn before {@link #replies}. */
    private final Deque<ByteBuf> parts = new ArrayDeque<>(0);

    private long partsBytes;
    private long heldBytes;
    private boolean last;
    private boolean lingers;
    private boolean finished;
    private long slowSinceMillis = NOT_SLOW;

    Output(Channel channel, Tally tally, ClientShare share) {
        this.channel = channel;
        this.tally = tally;
        this.share = share;
    }

    @Override
    public void take(byte[] bytes, int offset, int length) {
        ByteBuf out = replies;
        if (out == null) {
            out = channel.alloc().directBuffer(length);
        } else if (out.maxFastWritableBytes() < length && out.readableBytes() >= FIRST_PART_BYTES) {
            parts.addLast(out);
            partsBytes += out.readableBytes();
            int more = (int) Math.min(PART_BYTES_MAX, partsBytes);
            out = channel.alloc().directBuffer(Math.max(length, more));
        }
        replies = out;
        out.writeBytes(bytes, offset, length);
    }

    /** A buffer that others may send too; it belongs to this output now. */
    void take(ByteBuf shared) {
        ByteBuf out = replies;
        if (out != null) {
            parts.addLast(out);
            partsBytes += out.readableBytes();
        }
        parts.addLast(shared);
        partsBytes += shared.readableBytes();
        // What follows must not be written into a buffer of others.
        replies = channel.alloc().directBuffer(SMALL_BYTES);
    }

    @Override
    public boolean hasRoom(int length) {
        if (waitingBytes() + length <= FREE_BYTES + share.bytes()) {
            return true;
        }
        return share.extendTo(counted(unsentBytes() + length));
    }

    /**
     * Whether this client should take some of its replies before more are made: all together leave half of what they may
     * unread, and this one is among them. So one that reads waits instead of getting an error.
     */
    boolean isCrowded() {
        if (share.bytes() == 0 || !share.isScarce()) {
            return false;
        }
        recount();
        return share.bytes() > 0;
    }

    private static long counted(long bytes) {
        return Math.max(0, (bytes - FREE_BYTES + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES);
    }

    @Override
    public long taken() {
        ByteBuf out = replies;
        return out == null ? 0 : partsBytes + out.readableBytes();
    }

    @Override
    public void cutTo(long length) {
        ByteBuf out = replies;
        while (out != null && partsBytes >= length) {
            out.release();
            out = parts.pollLast();
            partsBytes -= out == null ? 0 : out.readableBytes();
        }
        if (out != null) {
            out.writerIndex(out.readerIndex() + (int) (length - partsBytes));
        }
        replies = out;
    }

    /** Some of what was counted may have been taken by the client meanwhile. */
    void recount() {
        if (share.bytes() > 0) {
            boolean unusedFits = share.extendTo(Math.min(share.bytes(), counted(unsentBytes())));
        }
    }

    /** The channel is gone. */
    void release() {
        share.release();
    }

    /** Whether there is something to do when the turn ends. */
    boolean isDirty() {
        return replies != null || last;
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
        replies = null;
        if (out == null || parts.isEmpty()) {
            return out == null ? Unpooled.EMPTY_BUFFER : out;
        }
        CompositeByteBuf all = channel.alloc().compositeDirectBuffer(parts.size() + 1);
        all.addComponents(true, parts).addComponent(true, out);
        parts.clear();
        partsBytes = 0;
        return all;
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
        return heldBytes + taken();
    }

    /** What the client has not taken yet, as far as we know. */
    long unsentBytes() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return waitingBytes() + (buffer == null ? 0 : buffer.totalPendingWriteBytes());
    }

    /** Asked once a second. */
    boolean exceedsSoft(OutputLimit limit, long nowMillis) {
        if (limit.softBytes() == 0 || unsentBytes() <= limit.softBytes()) {
            slowSinceMillis = NOT_SLOW;
            return false;
        }
        if (slowSinceMillis == NOT_SLOW) {
            slowSinceMillis = nowMillis;
        }
        return nowMillis - slowSinceMillis > limit.softSeconds() * 1000;
    }
}
