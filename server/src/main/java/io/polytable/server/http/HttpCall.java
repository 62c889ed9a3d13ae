package io.polytable.server.http;

import io.polytable.table.Bytes;
import java.util.Map;
import java.util.Optional;

/**
 * A request, complete and within all limits.
 *
 * @param path decoded, without the query
 * @param parameters of the query; of a repeated one the first
 * @param isRepeated whether a parameter stands in the query more than once
 * @param headers by their names in lower case; of a repeated one the first
 * @param loopback whether it came from this machine
 */
public record HttpCall(
        HttpMethod method,
        String path,
        Map<String, String> parameters,
        boolean isRepeated,
        Map<String, String> headers,
        Bytes body,
        boolean loopback) {
    public HttpCall {
        parameters = Map.copyOf(parameters);
        headers = Map.copyOf(headers);
    }

    public Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    /**
     * A header's value, empty where there is none.
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
