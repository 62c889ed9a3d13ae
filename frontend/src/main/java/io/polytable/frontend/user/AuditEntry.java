package io.polytable.frontend.user;

import java.time.Instant;

/**
 * What the audit log records of one event; never a secret.
 *
 * @param event what happened: an {@link Event} in lower case, of this version or of a later one
 * @param object the user whom it was about
 * @param isDone false if it was refused
 * @param detail more about it, for people
 */
public record AuditEntry(Instant at, Actor actor, String event, String object, boolean isDone, String detail) {
    /** What is recorded. The names are on disk. */
    public enum Event {
        LOGIN,
        LOGOUT,
        USER_ADDED,
        USER_CHANGED,
        USER_REMOVED,
        GRANT,
        REVOKE,
        EXECUTE_AS,
        TOKEN_ISSUED,
        TOKEN_REVOKED,
        /** A refresh token was used a second time. */
        TOKEN_REPLAYED
    }
}
