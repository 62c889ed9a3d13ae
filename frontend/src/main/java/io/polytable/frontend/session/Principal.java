package io.polytable.frontend.session;

/** Who a session acts as. Immutable; a login replaces a session's principal. */
public record Principal(String name, Role role) {
    /** What a principal may do in general; grants add to it. From least to most. */
    public enum Role {
        /** Has not logged in where a login is required. */
        ANONYMOUS,
        USER,
        SERVICE,
        DBA,
        SYSTEM
    }

    /** The user of every client without a user name, once it has given the password. */
    public static final Principal ROOT = new Principal("root", Role.SYSTEM);

    /** A client that has not logged in yet. */
    public static final Principal ANONYMOUS = new Principal("", Role.ANONYMOUS);

    public boolean isAnonymous() {
        return role == Role.ANONYMOUS;
    }
}
