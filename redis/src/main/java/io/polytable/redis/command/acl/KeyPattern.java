package io.polytable.redis.command.acl;

import io.polytable.redis.model.Glob;
import io.polytable.table.Bytes;

/** A pattern of keys, and what may be done with the keys that match. */
final class KeyPattern {
    static final int READ = 1;
    static final int WRITE = 2;
    static final int BOTH = READ | WRITE;

    private final Bytes pattern;
    private final Glob glob;
    private final int access;

    KeyPattern(Bytes pattern, int access) {
        this(pattern, Glob.of(pattern), access);
    }

    private KeyPattern(Bytes pattern, Glob glob, int access) {
        this.pattern = pattern;
        this.glob = glob;
        this.access = access;
    }

    KeyPattern with(int more) {
        return new KeyPattern(pattern, glob, access | more);
    }

    Bytes pattern() {
        return pattern;
    }

    boolean allows(int wanted) {
        return (access & wanted) == wanted;
    }

    boolean allows(Bytes key, int wanted) {
        return allows(wanted) && glob.matches(key);
    }

    boolean isEveryKey() {
        return pattern.length() == 1 && pattern.at(0) == '*';
    }

    /** As a rule. */
    @Override
    public String toString() {
        String prefix = switch (access) {
            case BOTH -> "~";
            case READ -> "%R~";
            default -> "%W~";
        };
        return prefix + Words.text(pattern);
    }
}
