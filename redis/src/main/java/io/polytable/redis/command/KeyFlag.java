package io.polytable.redis.command;

/** What a command does with a key, as COMMAND's key specifications say it: first one of the four ways, then what for. */
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
