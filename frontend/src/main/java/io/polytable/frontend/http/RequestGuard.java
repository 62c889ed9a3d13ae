package io.polytable.frontend.http;

import io.polytable.frontend.session.Principal;
import io.polytable.frontend.user.Users;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Authentication and cross-site request protection for all frontends on the HTTP port. Any web page can make a browser send
 * requests to this machine's ports, so a request must prove that it does not come from a foreign page. Its Content-Type
 * is one that a page cannot send to another origin without a preflight request. Its Host is one of our names, which
 * defeats DNS rebinding. Its Origin, if present, matches that Host.
 */
public final class RequestGuard {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Set<String> hosts = new HashSet<>();
    private final Users users;
    private final Predicate<String> isAdmin;

    /**
     * @param hosts names and addresses by which clients may address this server, besides localhost
     * @param users the users of all protocols; every client must send the default user's password, if it has one
     * @param isAdmin whether an Authorization header has the admin token of a command on this machine
     */
    public RequestGuard(Set<String> hosts, Users users, Predicate<String> isAdmin) {
        Stream.concat(LOOPBACK.stream(), hosts.stream())
                .map(host -> canonical(host.toLowerCase(Locale.ROOT)))
                .forEach(this.hosts::add);
        this.users = users;
        this.isAdmin = isAdmin;
    }

    /** The reason for a refusal, with its HTTP status. */
    public record Refusal(int status, String text) {}

    /**
     * Why the request is refused, if it is. A request that is not refused acts as root.
     *
     * @param bodyType the Content-Type that the request must have; empty where it has no body
     */
    public Optional<Refusal> refusal(HttpRequest request, String bodyType) {
        String type = header(request, "content-type");
        if (!bodyType.isEmpty() && !type.equals(bodyType) && !type.startsWith(bodyType + ";")) {
            return refused(415, "the body must be " + bodyType);
        }
        String host = header(request, "host");
        if (!hosts.contains(canonical(withoutPort(host)))) {
            return refused(421, "host \"" + host + "\" is not allowed; add it to http.hosts");
        }
        String origin = header(request, "origin");
        if (!origin.isEmpty() && !origin.equals("http://" + host) && !origin.equals("https://" + host)) {
            return refused(403, "requests of pages from elsewhere are refused");
        }
        return unauthenticated(request.authorization(), request.isFromLoopback());
    }

    private static String header(HttpRequest request, String name) {
        return request.header(name).toLowerCase(Locale.ROOT);
    }

    private Optional<Refusal> unauthenticated(String authorization, boolean loopback) {
        if (isAdmin.test(authorization)) {
            return Optional.empty();
        }
        if (!users.isPasswordRequired()) {
            return loopback && authorization.isEmpty() ? Optional.empty() : refused(401, "authentication failed");
        }
        boolean known = passwordIn(authorization)
                .filter(secret -> users.defaultUser().accepts(secret.getBytes(StandardCharsets.UTF_8)))
                .isPresent();
        return known ? Optional.empty() : refused(401, "a password is needed");
    }

    /** The password in {@code Bearer password} or {@code Basic root:password}. */
    private static Optional<String> passwordIn(String authorization) {
        if (authorization.startsWith("Bearer ")) {
            return Optional.of(authorization.substring("Bearer ".length()));
        }
        if (!authorization.startsWith("Basic ")) {
            return Optional.empty();
        }
        try {
            byte[] decoded = Base64.getDecoder().decode(authorization.substring("Basic ".length()));
            String pair = new String(decoded, StandardCharsets.UTF_8);
            String prefix = Principal.ROOT.name() + ":";
            return pair.startsWith(prefix) ? Optional.of(pair.substring(prefix.length())) : Optional.empty();
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        boolean bracket = host.startsWith("[");
        return colon > 0 && (!bracket || host.charAt(colon - 1) == ']') ? host.substring(0, colon) : host;
    }

    /** One text for all spellings of an IPv6 address. Text in brackets is never looked up as a name. */
    private static String canonical(String host) {
        if (!host.startsWith("[") || !host.endsWith("]")) {
            return host;
        }
        try {
            return InetAddress.getByName(host).getHostAddress();
        } catch (UnknownHostException malformed) {
            return host;
        }
    }

    private static Optional<Refusal> refused(int status, String text) {
        return Optional.of(new Refusal(status, text));
    }
}
