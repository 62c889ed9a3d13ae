package io.polytable.redis.command;

/** What a connection has said of itself: its database, protocol, name and user. Used by its event loop only. */
public final class Session {
    private final long id;
    private int database;
    private int protocol = 2;
    private boolean authenticated;

    public Session(long id, boolean authenticated) {
        this.id = id;
        this.authenticated = authenticated;
    }

    /** One that no connection stands behind: for tests and for the server's own commands. */
    public static Session detached() {
        return new Session(0, true);
    }

    public long id() {
        return id;
    }

    public int database() {
        return database;
    }

    public void select(int index) {
        database = index;
    }

    public int protocol() {
        return protocol;
    }

    public void speak(int version) {
        protocol = version;
    }

    public boolean authenticated() {
        return authenticated;
    }

    public void authenticate() {
        authenticated = true;
    }
}
