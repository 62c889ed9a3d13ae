package io.polytable.server.http;

import java.util.Map;
import java.util.Optional;

/**
 * A request, complete and within all limits.
 *
 * @param path decoded, without the query
 * @param parameters of the query; of a repeated one the first
 * @param authorization the header's value, empty where there is none
 */
public record HttpCall(HttpMethod method, String path, Map<String, String> parameters, String authorization) {
    public HttpCall {
        parameters = Map.copyOf(parameters);
    }

    public Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }
}
