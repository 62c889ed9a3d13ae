package io.polytable.sql.wire;

import io.polytable.table.Bytes;
import java.util.Locale;
import java.util.Map;

/**
 * An HTTP request.
 *
 * @param headers by their names in lower case
 * @param loopback whether the request came from this machine
 */
public record SqlRequest(Map<String, String> headers, Bytes body, boolean loopback) {
    public SqlRequest {
        headers = Map.copyOf(headers);
    }

    /** The header's value; empty if it is missing. */
    String header(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }
}
