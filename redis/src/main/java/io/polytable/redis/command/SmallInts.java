package io.polytable.redis.command;

/** Preallocated integer replies. */
final class SmallInts {
    private static final int MIN = -2;
    private static final int MAX = 1024;
    private static final Reply[] KNOWN = known();

    private SmallInts() {}

    static Reply of(long value) {
        return value >= MIN && value < MAX ? KNOWN[(int) value - MIN] : new Reply.Int(value);
    }

    private static Reply[] known() {
        Reply[] replies = new Reply[MAX - MIN];
        for (int i = 0; i < replies.length; i++) {
            replies[i] = new Reply.Int(i + MIN);
        }
        return replies;
    }
}
