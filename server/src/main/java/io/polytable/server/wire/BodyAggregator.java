package io.polytable.server.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.polytable.frontend.http.HttpReply;
import io.polytable.frontend.limit.Budget;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects a request's body. What has arrived is taken from the memory plan, so that many half-sent bodies cannot fill
 * the heap. A body beyond its limit, or without space in the plan, is answered with a sentence: Netty's own answer is empty.
 */
final class BodyAggregator extends HttpObjectAggregator {
    private final int bytesMax;
    private final Supplier<Budget> bodies;
    private @Nullable ChannelFuture sent;

    /** The budget that the body was taken from: another plan may have begun meanwhile. */
    private @Nullable Budget budget;

    private long heldBytes;

    /** @param bodies the current budget for bodies */
    BodyAggregator(int bytesMax, Supplier<Budget> bodies) {
        super(bytesMax);
        this.bytesMax = bytesMax;
        this.bodies = bodies;
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext context, HttpMessage oversized) {
        sent = context.writeAndFlush(tooLarge(context));
    }

    /** Discards the rest of the body: a client that is still sending would see a reset instead of the answer. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (sent == null && message instanceof HttpContent content && !take(content)) {
            release();
            sent = context.writeAndFlush(refusal(
                    context,
                    HttpResponseStatus.SERVICE_UNAVAILABLE,
                    "The bodies of other requests take all memory that they may take; try again"));
        }
        ChannelFuture refused = sent;
        if (refused == null) {
            if (message instanceof LastHttpContent) {
                // From here on the request counts its own body.
                release();
            }
            super.channelRead(context, message);
            return;
        }
        if (message instanceof LastHttpContent) {
            refused.addListener(ChannelFutureListener.CLOSE);
        }
        ReferenceCountUtil.release(message);
    }

    private boolean take(HttpContent content) {
        int bytes = content.content().readableBytes();
        if (bytes == 0) {
            return true;
        }
        Budget current = budget;
        if (current == null) {
            current = bodies.get();
            budget = current;
        }
        // One alone always fits: its size has a limit of its own.
        boolean fits = current.tryTake(bytes) || (current.heldBytes() == heldBytes && current.takeUnlessFull(bytes));
        heldBytes += fits ? bytes : 0;
        return fits;
    }

    private void release() {
        Budget current = budget;
        if (current != null) {
            current.release(heldBytes);
            heldBytes = 0;
            budget = null;
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        release();
        super.channelInactive(context);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        super.channelReadComplete(context);
        if (sent != null) {
            context.read();
        }
    }

    @Override
    protected Object newContinueResponse(HttpMessage start, int most, ChannelPipeline pipeline) {
        Object response = super.newContinueResponse(start, most, pipeline);
        boolean refused = response instanceof FullHttpResponse full
                && full.status().equals(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
        return refused ? tooLarge(pipeline.context(this)) : response;
    }

    private FullHttpResponse tooLarge(ChannelHandlerContext context) {
        return refusal(
                context,
                HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                "The request body is larger than " + bytesMax + " bytes, the limit of http.max.request.bytes");
    }

    private static FullHttpResponse refusal(ChannelHandlerContext context, HttpResponseStatus status, String sentence) {
        ByteBuf text = ByteBufUtil.writeUtf8(context.alloc(), sentence + "\n");
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, text);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, HttpReply.PLAIN)
                .set(HttpHeaderNames.CONTENT_LENGTH, text.readableBytes());
        HttpUtil.setKeepAlive(response, false);
        return response;
    }
}
