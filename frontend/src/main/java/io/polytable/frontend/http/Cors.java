package io.polytable.frontend.http;

import java.util.Set;

/**
 * Pages of other sites that may send requests (CORS).
 *
 * @param origins such as {@code https://app.example}, in lower case
 */
public record Cors(Set<String> origins) {
    /** No other site's. */
    public static final Cors NONE = new Cors(Set.of());

    public Cors {
        origins = Set.copyOf(origins);
    }

    /**
     * Returns whether pages of that origin may send requests.
     *
     * @param origin the header of that name, in lower case
     */
    public boolean allows(String origin) {
        return origins.contains(origin);
    }
}
