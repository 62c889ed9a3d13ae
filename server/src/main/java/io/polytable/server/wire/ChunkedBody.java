package io.polytable.server.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The body of a streamed answer. Few chunks are in flight at a time: the writer waits for a slow client instead of
 * buffering (back-pressure).
 */
final class ChunkedBody extends OutputStream {
    private static final long CLIENT_SECONDS_MAX = 60;

    private final ChannelHandlerContext context;
    private final Consumer<Boolean> ended;
    private final Semaphore pieces = new Semaphore(HttpLimits.STREAMED_PIECES_MAX);
    private final byte[] buffer = new byte[HttpLimits.STREAMED_PIECE_BYTES];
    private int length;
    private boolean closed;

    /** @param ended receives whether the whole body was sent */
    ChunkedBody(ChannelHandlerContext context, Consumer<Boolean> ended) {
        this.context = context;
        this.ended = ended;
    }

    @Override
    public void write(int b) throws IOException {
        if (length == buffer.length) {
            send();
        }
        buffer[length++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        int from = offset;
        int left = count;
        while (left > 0) {
            if (length == buffer.length) {
                send();
            }
            int step = Math.min(left, buffer.length - length);
            System.arraycopy(bytes, from, buffer, length, step);
            length += step;
            from += step;
            left -= step;
        }
    }

    private void send() throws IOException {
        try {
            if (!context.channel().isActive()
                    || !pieces.tryAcquire(CLIENT_SECONDS_MAX, TimeUnit.SECONDS)
                    || !context.channel().isActive()) {
                throw broken("The client does not read its answer");
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw broken("The server is stopping");
        }
        ByteBuf piece = Unpooled.wrappedBuffer(Arrays.copyOf(buffer, length));
        length = 0;
        context.writeAndFlush(new DefaultHttpContent(piece))
                .addListener((ChannelFutureListener) sent -> pieces.release());
    }

    private IOException broken(String why) {
        closed = true;
        ended.accept(false);
        return new IOException(why);
    }

    /** Breaks the connection unless the body is complete: without its last chunk the client sees the truncation. */
    void abort() {
        if (!closed) {
            closed = true;
            ended.accept(false);
        }
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        if (length > 0) {
            send();
        }
        closed = true;
        context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
                .addListener((ChannelFutureListener) sent -> ended.accept(sent.isSuccess()));
    }
}
