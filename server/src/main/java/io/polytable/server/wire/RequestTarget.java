package io.polytable.server.wire;

import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.polytable.server.http.HttpCall;
import io.polytable.server.http.HttpMethod;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a request line points at, decoded. */
record RequestTarget(String path, Map<String, String> parameters) {
    /** Empty where the percent-encoding is broken or the target is not a path. */
    static Optional<RequestTarget> parse(FullHttpRequest request) {
        if (!request.uri().startsWith("/")) {
            return Optional.empty();
        }
        try {
            QueryStringDecoder decoder = new QueryStringDecoder(request.uri());
            Map<String, String> first = new HashMap<>();
            decoder.parameters().forEach((name, values) -> first.put(name, values.get(0)));
            return Optional.of(new RequestTarget(decoder.path(), first));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    HttpCall call(HttpMethod method, FullHttpRequest request) {
        String authorization = request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
        return new HttpCall(method, path, parameters, authorization);
    }
}
