package io.polytable.redis.command;

/** How many words a call has, its name among them. */
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

    /** As COMMAND tells it: negative means at least. */
    public int code() {
        return orMore ? -words : words;
    }
}
