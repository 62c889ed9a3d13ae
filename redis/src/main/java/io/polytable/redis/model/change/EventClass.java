package io.polytable.redis.model.change;

/** The classes into which Redis sorts keyspace events; the letter is the one of {@code notify-keyspace-events}. */
public enum EventClass {
    GENERIC('g'),
    STRING('$'),
    LIST('l'),
    SET('s'),
    HASH('h'),
    ZSET('z'),
    STREAM('t'),
    EXPIRED('x'),
    EVICTED('e'),
    KEY_MISS('m'),
    NEW('n'),
    MODULE('d'),
    /** For changes without an event in Redis. */
    NONE('\0');

    private final char letter;

    EventClass(char letter) {
        this.letter = letter;
    }

    public char letter() {
        return letter;
    }
}
