package io.polytable.server.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Who may call a face on the HTTP port. A browser sends the requests of any page to this machine's ports, so a request has to
 * show that it does not come from a stranger's page: its Host is a name of ours, which a rebound name is not; its Origin, if
 * it has one, is that Host; and a body is declared as what a page cannot send elsewhere without asking first.
 */
public final class CallerGate {
    private static final String ROOT = "root";

    private final Set<String> hosts = new HashSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));
    private final String password;
    private final AdminToken token;

    /**
     * @param hosts names by which clients may call this server, beside this machine's own
     * @param password what everybody has to know, empty while none is set
     */
    public CallerGate(Set<String> hosts, String password, AdminToken token) {
        hosts.forEach(host -> this.hosts.add(host.toLowerCase(Locale.ROOT)));
        this.password = password;
        this.token = token;
    }

    /** Why the call is refused, if it is. */
    public Optional<HttpReply> refusal(HttpCall call, String contentType) {
        String type = call.header("content-type").toLowerCase(Locale.ROOT);
        boolean isDeclared = type.equals(contentType) || type.startsWith(contentType + ";");
        if (!call.body().isEmpty() && !isDeclared) {
            return refused(415, "The body has to be " + contentType);
        }
        String host = call.header("host").toLowerCase(Locale.ROOT);
        if (!hosts.contains(withoutPort(host))) {
            return refused(421, "This server does not answer to the host " + host);
        }
        String origin = call.header("origin").toLowerCase(Locale.ROOT);
        if (!origin.isEmpty() && !origin.equals("http://" + host) && !origin.equals("https://" + host)) {
            return refused(403, "Requests of pages from elsewhere are refused");
        }
        return isKnown(call) ? Optional.empty() : refused(401, "These credentials are not known");
    }

    private static Optional<HttpReply> refused(int status, String text) {
        return Optional.of(HttpReply.plain(status, text));
    }

    private boolean isKnown(HttpCall call) {
        String authorization = call.authorization();
        if (token.isHeader(authorization)) {
            return true;
        }
        if (password.isEmpty()) {
            return call.loopback() && authorization.isEmpty();
        }
        return given(authorization)
                .filter(secret -> MessageDigest.isEqual(
                        secret.getBytes(StandardCharsets.UTF_8), password.getBytes(StandardCharsets.UTF_8)))
                .isPresent();
    }

    /** The password of {@code Bearer password} or of {@code Basic root:password}. */
    private static Optional<String> given(String authorization) {
        if (authorization.startsWith("Bearer ")) {
            return Optional.of(authorization.substring("Bearer ".length()));
        }
        if (!authorization.startsWith("Basic ")) {
            return Optional.empty();
        }
        try {
            byte[] decoded = Base64.getDecoder().decode(authorization.substring("Basic ".length()));
            String pair = new String(decoded, StandardCharsets.UTF_8);
            String prefix = ROOT + ":";
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
}
