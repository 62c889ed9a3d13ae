package io.polytable.server.wire;

import static io.netty.handler.codec.http.HttpResponseStatus.BAD_REQUEST;
import static io.netty.handler.codec.http.HttpResponseStatus.METHOD_NOT_ALLOWED;
import static io.netty.handler.codec.http.HttpResponseStatus.NOT_FOUND;
import static io.netty.handler.codec.http.HttpResponseStatus.OK;
import static io.netty.handler.codec.http.HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE;
import static io.netty.handler.codec.http.HttpResponseStatus.REQUEST_URI_TOO_LONG;
import static io.netty.handler.codec.http.HttpResponseStatus.TOO_MANY_REQUESTS;
import static io.netty.handler.codec.http.HttpResponseStatus.UNAUTHORIZED;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.polytable.frontend.http.Cors;
import io.polytable.frontend.http.HttpMethod;
import io.polytable.frontend.http.HttpReply;
import io.polytable.frontend.http.Route;
import io.polytable.frontend.http.Routes;
import io.polytable.frontend.session.ClientAddress;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles one connection's requests, one after the other: match, answer, write, read the next. */
final class RequestHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);

    private static final long PROBE_MILLIS = 250;

    private final Routes routes;
    private final RouteExecutor executor;
    private final Deadline deadline;
    private final Cors cors;
    private final RequestRate rate;

    /** Pipelined requests behind the one that is being answered; at most the content of one read. */
    private final Queue<FullHttpRequest> pipelined = new ArrayDeque<>();

    private boolean busy;

    /** The client sends nothing more: it has left, or it waits for its last answers. */
    private boolean inputEnded;

    /** The request that is being answered on a worker. */
    private @Nullable Exchange current;

    RequestHandler(Routes routes, RouteExecutor executor, Deadline deadline, Cors cors, RequestRate rate) {
        this.cors = cors;
        this.rate = rate;
        this.routes = routes;
        this.executor = executor;
        this.deadline = deadline;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        super.channelActive(context);
        context.read();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        if (busy) {
            pipelined.add(request.retain());
        } else {
            begin(context, request);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        pipelined.forEach(FullHttpRequest::release);
        pipelined.clear();
        if (current != null) {
            current.gone();
        }
        super.channelInactive(context);
    }

    /** An answer still reaches a client that has closed its half of the connection alone. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            inputEnded = true;
            if (!busy) {
                var unused = context.close();
            } else if (current != null) {
                current.probe();
            }
        }
        super.userEventTriggered(context, event);
    }

    /** Handles the next pipelined request, or reads more from the client. */
    private void readOn(ChannelHandlerContext context) {
        busy = false;
        current = null;
        FullHttpRequest next = pipelined.poll();
        if (next == null) {
            if (inputEnded) {
                var unused = context.close();
                return;
            }
            deadline.waiting(context);
            context.read();
            return;
        }
        try {
            begin(context, next);
        } finally {
            next.release();
        }
    }

    private void begin(ChannelHandlerContext context, FullHttpRequest request) {
        busy = true;
        deadline.answering(context);
        boolean interim = request.protocolVersion().equals(HttpVersion.HTTP_1_1);
        Exchange exchange = new Exchange(context, HttpUtil.isKeepAlive(request), isHead(request), interim);
        if (request.decoderResult().isFailure()) {
            exchange.refuse(statusFor(request.decoderResult().cause()), "The request is malformed");
            return;
        }
        if (request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                && !request.headers().contains(HttpHeaderNames.HOST)) {
            exchange.refuse(BAD_REQUEST, "The request has no Host header");
            return;
        }
        // A proxy before us may go by the other one: then it and our guard would check different names.
        if (request.headers().getAll(HttpHeaderNames.HOST).size() > 1) {
            exchange.refuse(BAD_REQUEST, "The request has several Host headers");
            return;
        }
        if (!rate.allows(ClientAddress.of(exchange.client().getAddress()))) {
            exchange.header("Retry-After", "1");
            exchange.write(exchange.response(TOO_MANY_REQUESTS, HttpReply.PLAIN, "Too many requests; try again\n"));
            return;
        }
        if (request.headers().contains(HttpHeaderNames.ORIGIN)) {
            allowOrigin(exchange, request);
            if (request.headers().contains(HttpHeaderNames.ACCESS_CONTROL_REQUEST_METHOD)) {
                answerPreflight(exchange);
                return;
            }
        }
        RequestTarget.parse(request)
                .ifPresentOrElse(
                        target -> answer(exchange, request, target),
                        () -> exchange.refuse(BAD_REQUEST, "The request's target is malformed"));
    }

    private void allowOrigin(Exchange exchange, FullHttpRequest request) {
        String origin = request.headers().get(HttpHeaderNames.ORIGIN);
        exchange.header("Vary", "Origin");
        if (cors.allows(origin.toLowerCase(Locale.ROOT))) {
            exchange.header("Access-Control-Allow-Origin", origin);
            exchange.header("Access-Control-Expose-Headers", "X-Polytable-Session, Retry-After");
        }
    }

    /** Without the header that allows its origin, a browser does not send the request that it asks for. */
    private static void answerPreflight(Exchange exchange) {
        exchange.header("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE");
        exchange.header("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept, X-Polytable-User");
        exchange.header("Access-Control-Max-Age", "600");
        exchange.write(exchange.response(OK, HttpReply.PLAIN, ""));
    }

    private void answer(Exchange exchange, FullHttpRequest request, RequestTarget target) {
        Routes.Match match = routes.match(request.method().name(), target.path());
        if (match instanceof Routes.Match.Found found) {
            if (found.route().answer() instanceof Route.Answer.Streamed) {
                current = exchange;
                if (inputEnded) {
                    exchange.probe();
                } else {
                    // Only a read notices that the client leaves. What it reads instead waits for its turn.
                    exchange.context.read();
                }
            }
            executor.answer(
                    found.route(),
                    target.call(found.route().method(), request, exchange.client()),
                    exchange::finish,
                    exchange);
        } else if (match instanceof Routes.Match.WrongMethod wrong) {
            FullHttpResponse response =
                    exchange.response(METHOD_NOT_ALLOWED, HttpReply.PLAIN, "The path takes another method\n");
            response.headers()
                    .set(
                            HttpHeaderNames.ALLOW,
                            wrong.allowed().stream()
                                    .map(HttpMethod::name)
                                    .sorted()
                                    .collect(Collectors.joining(", ")));
            exchange.write(response);
        } else {
            exchange.write(exchange.response(NOT_FOUND, HttpReply.PLAIN, "There is nothing at this path\n"));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.warn("An HTTP connection failed", cause);
        }
        var unused = context.close();
    }

    private static boolean isHead(FullHttpRequest request) {
        return request.method().equals(io.netty.handler.codec.http.HttpMethod.HEAD);
    }

    private static HttpResponseStatus statusFor(Throwable cause) {
        if (cause instanceof TooLongHttpHeaderException) {
            return REQUEST_HEADER_FIELDS_TOO_LARGE;
        }
        return cause instanceof TooLongHttpLineException ? REQUEST_URI_TOO_LONG : BAD_REQUEST;
    }

    /** The reply channel of one request. */
    private final class Exchange implements AbortableReply {
        private final ChannelHandlerContext context;
        private final boolean head;

        /** Whether the client understands an interim response. */
        private final boolean interim;

        private final Map<String, String> headers = new LinkedHashMap<>();
        private boolean keepAlive;
        private @Nullable ChunkedBody body;
        private volatile Runnable onGone = () -> {};

        /** Set before the response is written. */
        private volatile boolean responded;

        Exchange(ChannelHandlerContext context, boolean keepAlive, boolean head, boolean interim) {
            this.context = context;
            this.keepAlive = keepAlive;
            this.head = head;
            this.interim = interim;
        }

        InetSocketAddress client() {
            return (InetSocketAddress) context.channel().remoteAddress();
        }

        @Override
        public void header(String name, String value) {
            headers.put(name, value);
        }

        @Override
        public void whenGone(Runnable action) {
            onGone = action;
            // The client may have left before.
            if (!context.channel().isActive()) {
                action.run();
            }
        }

        void gone() {
            onGone.run();
        }

        /**
         * Finds out whether a client that sends nothing more has left: then its system refuses what it gets, and the
         * write after that fails. An interim response means nothing to one that waits.
         */
        void probe() {
            if (responded || !context.channel().isActive()) {
                return;
            }
            if (!interim) {
                var unusedClose = context.close();
                return;
            }
            var unused = context.writeAndFlush(
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
            var unusedNext = context.executor().schedule(this::probe, PROBE_MILLIS, TimeUnit.MILLISECONDS);
        }

        @Override
        public void whole(int status, String contentType, byte[] body) {
            ByteBuf content = Unpooled.wrappedBuffer(body);
            FullHttpResponse response =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), content);
            headers(response, contentType).set(HttpHeaderNames.CONTENT_LENGTH, body.length);
            HttpUtil.setKeepAlive(response, keepAlive);
            responded = true;
            context.executor().execute(() -> write(response));
        }

        @Override
        public OutputStream begin(int status, String contentType) {
            responded = true;
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
            headers(response, contentType);
            HttpUtil.setTransferEncodingChunked(response, true);
            HttpUtil.setKeepAlive(response, keepAlive);
            var unused = context.writeAndFlush(response);
            ChunkedBody begun = new ChunkedBody(context, this::ended);
            body = begun;
            return begun;
        }

        @Override
        public void abortUnfinished() {
            ChunkedBody begun = body;
            if (begun != null) {
                begun.abort();
            }
        }

        private HttpHeaders headers(HttpResponse response, String contentType) {
            headers.forEach(response.headers()::set);
            challengeIfUnauthorized(response);
            return response.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, contentType)
                    .set("X-Content-Type-Options", "nosniff");
        }

        /** Not Basic, which is accepted too: browsers would ask for it with a dialog, over the console page's own. */
        private static void challengeIfUnauthorized(HttpResponse response) {
            if (response.status().equals(UNAUTHORIZED)) {
                response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer realm=\"polytable\"");
            }
        }

        private void ended(boolean whole) {
            context.executor().execute(() -> {
                if (whole && keepAlive) {
                    readOn(context);
                } else {
                    var unused = context.close();
                }
            });
        }

        /** Thread safe. */
        void finish(HttpReply reply) {
            responded = true;
            HttpResponseStatus status = HttpResponseStatus.valueOf(reply.status());
            context.executor().execute(() -> write(response(status, reply.contentType(), reply.text())));
        }

        void refuse(HttpResponseStatus status, String sentence) {
            keepAlive = false;
            write(response(status, HttpReply.PLAIN, sentence + "\n"));
        }

        FullHttpResponse response(HttpResponseStatus status, String contentType, String text) {
            ByteBuf body = ByteBufUtil.writeUtf8(context.alloc(), text);
            int length = body.readableBytes();
            FullHttpResponse response =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, head ? body.clear() : body);
            response.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, contentType)
                    .set(HttpHeaderNames.CONTENT_LENGTH, length)
                    .set("X-Content-Type-Options", "nosniff")
                    .set("X-Frame-Options", "DENY");
            headers.forEach(response.headers()::set);
            challengeIfUnauthorized(response);
            HttpUtil.setKeepAlive(response, keepAlive);
            return response;
        }

        void write(FullHttpResponse response) {
            deadline.sending(context);
            context.writeAndFlush(response).addListener((ChannelFutureListener) written -> {
                if (written.isSuccess() && keepAlive) {
                    // Not from here: a thousand pipelined requests would recurse a thousand deep.
                    context.executor().execute(() -> readOn(context));
                } else {
                    var unused = context.close();
                }
            });
        }
    }
}
