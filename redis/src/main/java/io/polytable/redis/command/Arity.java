package io.polytable.redis.command;

/** The number of words a call must have, the command's name included. */
public record Arity(int words, boolean orMore) {
    public static Arity exactly(int words) {
        return new Arity(words, false);
    }

    public static Arity atLeast(int words) {
        return new Arity(words, true);
    }

    public boolean allows(int size) {
        return orMore ? size >= words : size == words;
    }

    /** The arity as COMMAND reports it: negative means "at least". */
    public int code() {
        return orMore ? -words : words;
    }
}
