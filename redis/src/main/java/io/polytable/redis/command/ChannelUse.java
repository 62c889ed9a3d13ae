package io.polytable.redis.command;

/** Which words of a command are channels that its user needs permission for. */
public enum ChannelUse {
    NONE,
    /** The first argument. */
    FIRST,
    /** Every argument. */
    EACH,
    /** Every argument, which is a pattern. */
    PATTERNS;

    static ChannelUse of(String command) {
        return switch (command) {
            case "publish", "spublish" -> FIRST;
            case "subscribe", "ssubscribe" -> EACH;
            case "psubscribe" -> PATTERNS;
            default -> NONE;
        };
    }
}
