package io.polytable.frontend.http;

import io.polytable.frontend.session.ClientAddress;
import io.polytable.frontend.session.Principal;
import io.polytable.frontend.user.Users;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Authentication and cross-site request protection for all frontends on the HTTP port. Any web page can make a browser send
 * requests to this machine's ports, so a request must prove that it does not come from a foreign page. Its Content-Type
 * is one that a page cannot send to another origin without a preflight request. Its Host is one of our names, which
 * defeats DNS rebinding. Its Origin, if present, matches that Host.
 */
public final class RequestGuard {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private static final String BEARER = "Bearer ";

    private final Set<String> hosts = new HashSet<>();
    private final Users users;
    private final Credentials credentials;
    private final Cors cors;

    /** Who has a bearer token. */
    @FunctionalInterface
    public interface Credentials {
        Optional<Principal> principal(String bearer);
    }

    /**
     * @param hosts names and addresses by which clients may address this server, besides localhost
     * @param users the users of all protocols; they decide whether a client may come without a token
     */
    public RequestGuard(Set<String> hosts, Users users, Credentials credentials) {
        this(hosts, Cors.NONE, users, credentials);
    }

    /**
     * As above.
     *
     * @param cors pages of other sites that may send requests
     */
    public RequestGuard(Set<String> hosts, Cors cors, Users users, Credentials credentials) {
        this.cors = cors;
        Stream.concat(LOOPBACK.stream(), hosts.stream())
                .map(host -> canonical(host.toLowerCase(Locale.ROOT)))
                .forEach(this.hosts::add);
        this.users = users;
        this.credentials = credentials;
    }

    /** The decision about a request. */
    public sealed interface Admission {
        record Admitted(Principal principal) implements Admission {}

        /** The reason, with its HTTP status. */
        record Refused(int status, String text) implements Admission {}
    }

    /**
     * Decides whether the request is served, and for whom.
     *
     * @param bodyType the Content-Type that the request must have; empty where it has no body
     */
    public Admission admit(HttpRequest request, String bodyType) {
        Optional<Admission.Refused> refusal = refusal(request, bodyType);
        return refusal.isPresent() ? refusal.get() : authenticate(request);
    }

    /**
     * Why the request is refused whoever sends it, if it is.
     *
     * @param bodyType as for {@link #admit}
     */
    public Optional<Admission.Refused> refusal(HttpRequest request, String bodyType) {
        String type = header(request, "content-type");
        if (!bodyType.isEmpty() && !type.equals(bodyType) && !type.startsWith(bodyType + ";")) {
            return refused(415, "the body must be " + bodyType);
        }
        String host = header(request, "host");
        if (!hosts.contains(canonical(withoutPort(host)))) {
            return refused(421, "host \"" + host + "\" is not allowed; add it to http.hosts");
        }
        String origin = header(request, "origin");
        boolean own = origin.isEmpty() || origin.equals("http://" + host) || origin.equals("https://" + host);
        if (!own && !cors.allows(origin)) {
            return refused(403, "requests of pages from elsewhere are refused; http.cors.origins allows some");
        }
        return Optional.empty();
    }

    private static String header(HttpRequest request, String name) {
        return request.header(name).toLowerCase(Locale.ROOT);
    }

    /** The bearer token that the request has brought. */
    public static Optional<String> bearer(HttpRequest request) {
        String authorization = request.authorization();
        return authorization.startsWith(BEARER)
                ? Optional.of(authorization.substring(BEARER.length()))
                : Optional.empty();
    }

    private Admission authenticate(HttpRequest request) {
        if (request.authorization().isEmpty()) {
            return users.isPasswordRequired(ClientAddress.of(request.client().getAddress()))
                    ? new Admission.Refused(401, "a token is needed; POST /v1/api/auth/login issues one for a password")
                    : new Admission.Admitted(Principal.ROOT);
        }
        return bearer(request)
                .flatMap(credentials::principal)
                .<Admission>map(Admission.Admitted::new)
                .orElseGet(() -> new Admission.Refused(401, "authentication failed"));
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

    private static Optional<Admission.Refused> refused(int status, String text) {
        return Optional.of(new Admission.Refused(status, text));
    }
}
