package io.polytable.sql.wire;

import io.polytable.frontend.session.Session;
import io.polytable.table.Bytes;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Map;

/**
 * An HTTP request.
 *
 * @param headers by their names in lower case
 * @param client where it came from
 */
public record SqlRequest(Map<String, String> headers, Bytes body, InetSocketAddress client) {
    public SqlRequest {
        headers = Map.copyOf(headers);
    }

    /** Whether it came from this machine. */
    boolean isFromLoopback() {
        return client.getAddress().isLoopbackAddress();
    }

    /** {@code host:port} of the client. */
    String address() {
        return Session.address(client);
    }

    /** The header's value; empty if it is missing. */
    String header(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }
}
