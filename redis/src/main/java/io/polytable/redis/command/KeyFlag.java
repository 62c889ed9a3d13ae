package io.polytable.redis.command;

/** The flags of a key specification: first the kind of access, then what the command does with the value. */
public enum KeyFlag {
    /** Only reads it. */
    RO("RO"),
    /** Reads and writes. */
    RW("RW"),
    /** Overwrites it whole. */
    OW("OW"),
    /** Removes it. */
    RM("RM"),
    /** Tells something of the value. */
    ACCESS("access"),
    UPDATE("update"),
    INSERT("insert"),
    DELETE("delete"),
    NOT_KEY("not_key"),
    /** The specification does not find all keys. */
    INCOMPLETE("incomplete"),
    /** What is done depends on other words of the call. */
    VARIABLE_FLAGS("variable_flags");

    private final String text;

    KeyFlag(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
