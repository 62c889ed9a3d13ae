package io.polytable.frontend.user;

import io.polytable.frontend.session.Session;

/**
 * Who does something that the audit log records.
 *
 * @param name of the user; empty if nobody has logged in
 * @param protocol empty for the server itself
 * @param address {@code host:port} of the client, empty if unknown
 */
public record Actor(String name, String protocol, String address) {
    /** The server itself: its settings, its commands at the start. */
    public static final Actor SERVER = new Actor("", "", "");

    public static Actor of(Session session) {
        return new Actor(session.principal().name(), session.protocol(), session.address());
    }
}
