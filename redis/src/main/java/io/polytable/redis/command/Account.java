package io.polytable.redis.command;

/**
 * The user of a connection, as commands see it. All connections of a user share one, so that a change of its permissions
 * applies to their next command.
 */
public final class Account {
    /** Of sessions without a connection. */
    static final Account UNRESTRICTED = new Account("default", Permissions.ALL);

    private final String name;
    private volatile Permissions permissions;

    public Account(String name, Permissions permissions) {
        this.name = name;
        this.permissions = permissions;
    }

    public String name() {
        return name;
    }

    public Permissions permissions() {
        return permissions;
    }

    public void permit(Permissions next) {
        permissions = next;
    }
}
