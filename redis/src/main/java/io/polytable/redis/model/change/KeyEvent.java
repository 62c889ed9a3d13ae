package io.polytable.redis.model.change;

/**
 * What happened to a key, named as Redis' keyspace notifications name it. The events of a type are constants of that
 * type's model class; those of any key are here.
 *
 * @param alters whether the key counts as changed for WATCH and client-side caching. Redis publishes events of consumer
 *     partitions without that.
 */
public record KeyEvent(EventClass kind, String name, boolean alters) {
    /** A change without a notification. WATCH and tracking still see it. */
    public static final KeyEvent UNNAMED = new KeyEvent(EventClass.NONE, "");

    /** The key was created. Published before the event of the command that created it. */
    public static final KeyEvent NEW = new KeyEvent(EventClass.NEW, "new");

    public static final KeyEvent DEL = generic("del");
    public static final KeyEvent EXPIRE = generic("expire");
    public static final KeyEvent PERSIST = generic("persist");
    public static final KeyEvent RENAME_FROM = generic("rename_from");
    public static final KeyEvent RENAME_TO = generic("rename_to");
    public static final KeyEvent MOVE_FROM = generic("move_from");
    public static final KeyEvent MOVE_TO = generic("move_to");
    public static final KeyEvent COPY_TO = generic("copy_to");
    public static final KeyEvent EXPIRED = new KeyEvent(EventClass.EXPIRED, "expired");
    public static final KeyEvent EVICTED = new KeyEvent(EventClass.EVICTED, "evicted");
    public static final KeyEvent KEY_MISS = new KeyEvent(EventClass.KEY_MISS, "keymiss");

    /** An event that alters the key. */
    public KeyEvent(EventClass kind, String name) {
        this(kind, name, true);
    }

    public static KeyEvent generic(String name) {
        return new KeyEvent(EventClass.GENERIC, name);
    }

    public boolean isNamed() {
        return kind != EventClass.NONE;
    }
}
