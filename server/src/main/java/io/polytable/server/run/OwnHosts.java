package io.polytable.server.run;

import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The hosts in URLs that mean this server. */
final class OwnHosts {
    private OwnHosts() {}

    /**
     * The address that the server listens on, or those of all interfaces if it listens on all, and the configured names.
     *
     * @param names host names with commas between
     */
    static Set<String> of(InetAddress bound, String names) {
        Set<String> hosts = new HashSet<>();
        for (InetAddress address : bound.isAnyLocalAddress() ? all() : List.of(bound)) {
            hosts.add(literal(address));
        }
        Arrays.stream(names.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .forEach(hosts::add);
        return hosts;
    }

    private static List<InetAddress> all() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .toList();
        } catch (SocketException e) {
            throw new UncheckedIOException("cannot list this machine's addresses", e);
        }
    }

    /** As in a URL: an IPv6 address in brackets, without the interface that it belongs to. */
    static String literal(InetAddress address) {
        String text = address.getHostAddress();
        return address instanceof Inet6Address ? "[" + text.replaceFirst("%.*", "") + "]" : text;
    }
}
