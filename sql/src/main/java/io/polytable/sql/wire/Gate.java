package io.polytable.sql.wire;

import io.polytable.sql.command.SqlEngine;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Who may ask. A browser sends the requests of any page to this machine's ports, so a request has to show that it does not
 * come from a stranger's page: its body is declared as JSON, which a page cannot send elsewhere without asking first; its
 * Host is a name of ours, which a rebound name is not; and its Origin, if it has one, is that Host.
 */
public final class Gate {
    private final Set<String> hosts = new HashSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));
    private final String password;
    private final Predicate<String> isAdmin;

    /**
     * @param hosts names by which clients may call this server, beside this machine's own
     * @param password what everybody has to know, empty while none is set
     * @param isAdmin whether an Authorization header is that of a command on this machine
     */
    public Gate(Set<String> hosts, String password, Predicate<String> isAdmin) {
        hosts.forEach(host -> this.hosts.add(host.toLowerCase(Locale.ROOT)));
        this.password = password;
        this.isAdmin = isAdmin;
    }

    /** A refusal, and the status that tells of it. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final int status;
        private final transient SqlError error;

        Refused(int status, SqlError error) {
            super(error.text(), null, false, false);
            this.status = status;
            this.error = error;
        }

        int status() {
            return status;
        }

        SqlError error() {
            return error;
        }
    }

    /** The user that asks. */
    String enter(SqlRequest request) {
        String type = request.header("content-type").toLowerCase(Locale.ROOT);
        if (!type.equals("application/json") && !type.startsWith("application/json;")) {
            throw refused(415, SqlCode.NOT_ALLOWED, "the body has to be application/json");
        }
        String host = request.header("host").toLowerCase(Locale.ROOT);
        if (!hosts.contains(withoutPort(host))) {
            throw refused(421, SqlCode.NOT_ALLOWED, "this server does not answer to the host \"" + host + "\"");
        }
        String origin = request.header("origin").toLowerCase(Locale.ROOT);
        if (!origin.isEmpty() && !origin.equals("http://" + host) && !origin.equals("https://" + host)) {
            throw refused(403, SqlCode.NOT_ALLOWED, "requests of pages from elsewhere are refused");
        }
        return user(request);
    }

    private String user(SqlRequest request) {
        String authorization = request.header("authorization");
        if (isAdmin.test(authorization)) {
            return SqlEngine.ROOT;
        }
        if (password.isEmpty()) {
            if (request.loopback() && authorization.isEmpty()) {
                return SqlEngine.ROOT;
            }
            throw refused(401, SqlCode.UNAUTHENTICATED, "these credentials are not known");
        }
        boolean known = given(authorization)
                .filter(secret -> MessageDigest.isEqual(
                        secret.getBytes(StandardCharsets.UTF_8), password.getBytes(StandardCharsets.UTF_8)))
                .isPresent();
        if (!known) {
            throw refused(401, SqlCode.UNAUTHENTICATED, "a password is needed");
        }
        return SqlEngine.ROOT;
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
            String prefix = SqlEngine.ROOT + ":";
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

    private static Refused refused(int status, SqlCode code, String text) {
        return new Refused(status, new SqlError(code, text));
    }
}
