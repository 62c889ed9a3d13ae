package io.polytable.server.wire;

import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.polytable.frontend.http.HttpMethod;
import io.polytable.frontend.http.HttpRequest;
import io.polytable.table.Bytes;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The decoded target of a request line. */
record RequestTarget(String path, Map<String, String> parameters, boolean isRepeated) {
    /** Empty if the percent-encoding is invalid or the target is not a path. */
    static Optional<RequestTarget> parse(FullHttpRequest request) {
        if (!request.uri().startsWith("/")) {
            return Optional.empty();
        }
        try {
            QueryStringDecoder decoder = new QueryStringDecoder(request.uri());
            Map<String, String> first = new HashMap<>();
            decoder.parameters().forEach((name, values) -> first.put(name, values.get(0)));
            boolean isRepeated = decoder.parameters().values().stream().anyMatch(values -> values.size() > 1);
            return Optional.of(new RequestTarget(decoder.path(), first, isRepeated));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    HttpRequest call(HttpMethod method, FullHttpRequest request, InetSocketAddress client) {
        Map<String, String> headers = new HashMap<>();
        request.headers()
                .forEach(header -> headers.putIfAbsent(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
        // A copy: the request's buffer returns to its pool when the handler returns.
        Bytes body = Bytes.of(ByteBufUtil.getBytes(request.content()));
        return new HttpRequest(method, path, parameters, isRepeated, headers, body, client);
    }
}
