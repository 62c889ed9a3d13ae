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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The output of one connection: replies written in this turn, held until durable, or handed to the channel and not yet
 * read by the client.
 */
// Ignored futures: a write or close that fails ends the channel, which the handler notices.
@SuppressWarnings("FutureReturnValueIgnored")
final class Output implements ReplyWriter.Sink {
    /** This much per connection is not counted, so that usual clients do not touch the shared budget. */
    private static final int FREE_BYTES = 32 * 1024;

    /** The granularity of counting beyond that. */
    private static final int STEP_BYTES = 64 * 1024;

    private static final int SMALL_BYTES = 256;

    /** Longer output is kept in parts, each as large as all before it: growing one buffer would copy it. */
    private static final int FIRST_PART_BYTES = 16 * 1024;

    private static final int PART_BYTES_MAX = 1 << 20;

    private static final long NOT_SLOW = -1;

    /** How much input is discarded, and for how long, after an error that ends the connection. */
    private static final int DISCARDED_BYTES_MAX = 1 << 20;

    private static final long LINGER_MILLIS_MAX = 500;

    private final Channel channel;
    private final Tally tally;
    private final ClientShare share;
    private @Nullable ByteBuf replies;

    /** The output of this turn before {@link #replies}. */
    private final Deque<ByteBuf> parts = new ArrayDeque<>(0);

    private long partsBytes;
    private long heldBytes;
    private boolean last;
    private boolean lingers;
    private boolean finished;
    private long discardedBytes;
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
            tally.replyBufferExpanded();
            parts.addLast(out);
            partsBytes += out.readableBytes();
            int more = (int) Math.min(PART_BYTES_MAX, partsBytes);
            out = channel.alloc().directBuffer(Math.max(length, more));
        }
        replies = out;
        out.writeBytes(bytes, offset, length);
    }

    /** Appends a buffer that other outputs may share; this output owns a reference. */
    void take(ByteBuf shared) {
        ByteBuf out = replies;
        if (out != null) {
            parts.addLast(out);
            partsBytes += out.readableBytes();
        }
        parts.addLast(shared);
        partsBytes += shared.readableBytes();
        // Later output must not be written into the shared buffer.
        replies = channel.alloc().directBuffer(SMALL_BYTES);
    }

    @Override
    public boolean hasRoom(int length) {
        long bytes = unsentBytes() + length;
        return bytes <= FREE_BYTES + share.bytes() || share.extendTo(counted(bytes));
    }

    /**
     * Whether this client should read some replies before more are produced: the shared budget is scarce, and this
     * client uses part of it. So a client that reads waits instead of getting an error.
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
        // Stops at the buffer the length is in, though empty then: the part before it may be shared with other outputs.
        while (out != null && partsBytes > length) {
            out.release();
            out = parts.pollLast();
            partsBytes -= out == null ? 0 : out.readableBytes();
        }
        if (out != null) {
            out.writerIndex(out.readerIndex() + (int) (length - partsBytes));
        }
        replies = out;
    }

    /**
     * Counts what the client has not read: returns the rest to the budget, and takes from it what came in small pieces,
     * each of which was free.
     */
    void recount() {
        share.set(counted(unsentBytes()));
    }

    /** The channel is closed. */
    void release() {
        share.release();
    }

    /** Whether there is something to do at the end of the turn. */
    boolean isDirty() {
        return replies != null || last;
    }

    /** Closes the channel after the output so far. */
    void closeWhenSent() {
        last = true;
    }

    /** Shuts down the output after the replies so far, but keeps the channel open for input. */
    void finishWhenSent() {
        lingers = true;
    }

    /** Input came behind the error that ends the connection. With too much of it the client is not worth waiting for. */
    void discarded(int bytes) {
        discardedBytes += bytes;
        if (finished && !mayDiscard()) {
            channel.close();
        }
    }

    /** Whether more input may be discarded. */
    boolean mayDiscard() {
        return discardedBytes <= DISCARDED_BYTES_MAX;
    }

    /** Whether the output was shut down. */
    boolean isFinished() {
        return finished;
    }

    /** Sends the replies of this turn, whose commits are durable. */
    void send() {
        write(takeReplies());
    }

    /** Takes the replies of this turn, to be passed to {@link #sendHeld} when their commits are durable. */
    ByteBuf hold() {
        ByteBuf out = takeReplies();
        heldBytes += out.readableBytes();
        return out;
    }

    void sendHeld(ByteBuf out) {
        heldBytes -= out.readableBytes();
        write(out);
    }

    /**
     * Drops replies whose commits are lost. The channel is closed: the client must neither see them nor wait for them.
     */
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
        tally.replyBufferShrunk();
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
            channel.eventLoop().schedule(() -> channel.close(), LINGER_MILLIS_MAX, TimeUnit.MILLISECONDS);
        } else {
            channel.close();
        }
    }

    /** The bytes not yet handed to the channel. */
    long waitingBytes() {
        return heldBytes + taken();
    }

    /** The bytes that the client has not read yet, as far as the server knows. */
    long unsentBytes() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return waitingBytes() + (buffer == null ? 0 : buffer.totalPendingWriteBytes());
    }

    /** Called once per second. */
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
