package io.polytable.frontend.session;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;

/**
 * Where a client comes from, as far as logins depend on it.
 *
 * @param network equal for all addresses that one client may have: an IPv6 client has those of 64 bits
 */
public record ClientAddress(String network, boolean isLoopback) {
    private static final int NETWORK_BYTES = 8;

    /**
     * Returns where a session comes from.
     *
     * @param address {@code host:port}, as sessions have it; a host that is not an address is not of this machine
     */
    public static ClientAddress of(String address) {
        String host = address.substring(0, Math.max(0, address.lastIndexOf(':')));
        boolean literal = host.startsWith("[") || host.matches("[0-9.]+");
        try {
            return literal ? of(InetAddress.getByName(host)) : new ClientAddress(host, false);
        } catch (UnknownHostException malformed) {
            return new ClientAddress(host, false);
        }
    }

    public static ClientAddress of(InetAddress address) {
        byte[] bytes = address.getAddress();
        String network = HexFormat.of().formatHex(bytes, 0, Math.min(NETWORK_BYTES, bytes.length));
        return new ClientAddress(network, address.isLoopbackAddress());
    }
}
