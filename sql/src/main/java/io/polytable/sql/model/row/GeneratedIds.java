package io.polytable.sql.model.row;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids that grow with time: SNOWFLAKE_ID, UUID_V7, ULID, and row ids of tables without a primary key. The ids of one
 * process are unique and sorted in the order of their generation.
 */
public final class GeneratedIds {
    /** 2024-01-01 in milliseconds: 41 bits last until 2093. */
    private static final long SNOWFLAKE_EPOCH = 1_704_067_200_000L;

    private static final int SEQUENCE_BITS = 22;
    private static final char[] CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".toCharArray();

    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    private final AtomicLong last = new AtomicLong();

    public GeneratedIds(InstantSource clock) {
        this.clock = clock;
    }

    /** Milliseconds and a counter within them: never the same twice, even if the clock steps back. */
    public long snowflake() {
        long fresh = (clock.millis() - SNOWFLAKE_EPOCH) << SEQUENCE_BITS;
        return last.updateAndGet(before -> Math.max(fresh, before + 1));
    }

    public UUID uuidV7() {
        long id = snowflake();
        long millis = (id >> SEQUENCE_BITS) + SNOWFLAKE_EPOCH;
        long sequence = id & ((1L << SEQUENCE_BITS) - 1);
        // 48 bits of time, the version, and the sequence over the next 22 bits; the rest is random.
        long high = (millis << 16) | 0x7000L | (sequence >> 10);
        long low = 0x8000_0000_0000_0000L | ((sequence & 0x3ff) << 52) | (random.nextLong() & 0x000f_ffff_ffff_ffffL);
        return new UUID(high, low);
    }

    /** 26 characters that sort as text like the ids do. */
    public String ulid() {
        long id = snowflake();
        long millis = (id >> SEQUENCE_BITS) + SNOWFLAKE_EPOCH;
        long sequence = id & ((1L << SEQUENCE_BITS) - 1);
        char[] text = new char[26];
        for (int i = 9; i >= 0; i--) {
            text[i] = CROCKFORD[(int) (millis & 31)];
            millis >>= 5;
        }
        // 80 random bits, of which the sequence replaces the first 22 to keep the order.
        long high = (sequence << 18) | (random.nextLong() & 0x3ffff);
        long low = random.nextLong() & 0xff_ffff_ffffL;
        for (int i = 17; i >= 10; i--) {
            text[i] = CROCKFORD[(int) (high & 31)];
            high >>= 5;
        }
        for (int i = 25; i >= 18; i--) {
            text[i] = CROCKFORD[(int) (low & 31)];
            low >>= 5;
        }
        return new String(text);
    }
}
