package io.polytable.redis.command;

/** The flags of a key specification: the kind of access, then the effect on the value. */
public enum KeyFlag {
    /** Reads. */
    RO("RO"),
    /** Reads and writes. */
    RW("RW"),
    /** Overwrites the whole value. */
    OW("OW"),
    /** Removes it. */
    RM("RM"),
    /** Returns (part of) the value. */
    ACCESS("access"),
    UPDATE("update"),
    INSERT("insert"),
    DELETE("delete"),
    NOT_KEY("not_key"),
    /** The specification does not find all keys. */
    INCOMPLETE("incomplete"),
    /** The flags depend on other words of the call. */
    VARIABLE_FLAGS("variable_flags");

    private final String text;

    KeyFlag(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
