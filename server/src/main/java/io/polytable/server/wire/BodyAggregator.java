package io.polytable.server.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.polytable.server.http.HttpReply;
import org.jspecify.annotations.Nullable;

/** Collects a request's body, and answers one beyond the limit with a sentence: Netty's own answer is empty. */
final class BodyAggregator extends HttpObjectAggregator {
    private final int bytesMax;
    private @Nullable ChannelFuture sent;

    BodyAggregator(int bytesMax) {
        super(bytesMax);
        this.bytesMax = bytesMax;
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext context, HttpMessage oversized) {
        sent = context.writeAndFlush(tooLarge(context));
    }

    /** Discards the rest of the body: a client that is still sending would see a reset instead of the answer. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        ChannelFuture refused = sent;
        if (refused == null) {
            super.channelRead(context, message);
            return;
        }
        if (message instanceof LastHttpContent) {
            refused.addListener(ChannelFutureListener.CLOSE);
        }
        ReferenceCountUtil.release(message);
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
        ByteBuf text = ByteBufUtil.writeUtf8(
                context.alloc(),
                "The request body is larger than " + bytesMax + " bytes, the limit of http.max.request.bytes\n");
        FullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, text);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, HttpReply.PLAIN)
                .set(HttpHeaderNames.CONTENT_LENGTH, text.readableBytes());
        HttpUtil.setKeepAlive(response, false);
        return response;
    }
}
