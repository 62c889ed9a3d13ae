package io.polytable.frontend.http;

import io.polytable.frontend.session.Session;
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
public record HttpRequest(
        HttpMethod method,
        String path,
        Map<String, String> parameters,
        boolean isRepeated,
        Map<String, String> headers,
        Bytes body,
        InetSocketAddress client) {
    public HttpRequest {
        parameters = Map.copyOf(parameters);
        headers = Map.copyOf(headers);
    }

    /** A request without parameters. */
    public static HttpRequest post(String path, Map<String, String> headers, Bytes body, InetSocketAddress client) {
        return new HttpRequest(HttpMethod.POST, path, Map.of(), false, headers, body, client);
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

    /** {@code host:port} of the client. */
    public String address() {
        return Session.address(client);
    }

    public String authorization() {
        return header("authorization");
    }
}
