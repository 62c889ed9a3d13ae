package io.polytable.server.auth;

import java.time.Instant;

/**
 * A login that lasts, or a service token.
 *
 * @param label of a service token, for people
 * @param secret the digest of a service token's secret
 * @param generation of a login: how often it was refreshed; only the refresh token of the latest is good
 * @param expires when it ends by itself
 */
record Login(
        String id,
        String user,
        Kind kind,
        String label,
        String secret,
        long generation,
        Instant created,
        Instant expires) {
    /** What the client has. */
    enum Kind {
        /** A pair of tokens, issued for a password. */
        LOGIN,
        /** One token, until it is revoked. */
        TOKEN
    }

    boolean isExpired(Instant now) {
        return !now.isBefore(expires);
    }

    Login refreshed(Instant until) {
        return new Login(id, user, kind, label, secret, generation + 1, created, until);
    }
}
