package io.polytable.server.http;

import io.polytable.table.Bytes;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;

/**
 * A complete request within all limits.
 *
 * @param path decoded, without the query
 * @param parameters of the query; the first value of a repeated one
 * @param isRepeated whether a parameter occurs more than once
 * @param headers by their names in lower case; the first value of a repeated one
 * @param client where it came from
 */
public record HttpCall(
        HttpMethod method,
        String path,
        Map<String, String> parameters,
        boolean isRepeated,
        Map<String, String> headers,
        Bytes body,
        InetSocketAddress client) {
    public HttpCall {
        parameters = Map.copyOf(parameters);
        headers = Map.copyOf(headers);
    }

    /** Whether it came from this machine. */
    public boolean isFromLoopback() {
        return client.getAddress().isLoopbackAddress();
    }

    public Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    /**
     * A header's value, empty if it is absent.
     *
     * @param name in lower case
     */
    public String header(String name) {
        return headers.getOrDefault(name, "");
    }

    public String authorization() {
        return header("authorization");
    }
}
