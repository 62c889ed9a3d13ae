package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.keyspace.DataLimit.Frequency;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The last use of keys, and under an LFU policy how often they are used: for OBJECT IDLETIME and FREQ, and for the
 * eviction. Reads must not cause writes, so these are tables of fixed size in memory: keys share slots by their hash,
 * and each slot has one second and one counter. Of two keys in a slot, one looks more used than it is, never less. A
 * restart loses everything.
 *
 * <p>The counter is Redis': it grows with a probability that falls with its value, and loses one for each
 * {@code lfu-decay-time} without a use.
 *
 * <p>There is no lock: what another thread has written meanwhile is as good.
 */
public final class KeyUses {
    /** One mebibyte of memory; the counters take 768 KiB more. */
    private static final int PLACES = 1 << 18;

    /** So that a new key is not the first to be removed. */
    private static final int INITIAL = 5;

    private static final int COUNTER_MAX = 255;
    private static final int MILLIS_PER_MINUTE = 60_000;

    private final int[] seconds = new int[PLACES];
    private volatile @Nullable Counters counters;

    /** The counter of each slot, and the minute of its last change. */
    private static final class Counters {
        final Frequency rule;
        final byte[] values;
        final char[] minutes;

        Counters(Frequency rule, long nowMillis) {
            this.rule = rule;
            this.values = new byte[PLACES];
            this.minutes = new char[PLACES];
            Arrays.fill(values, (byte) INITIAL);
            Arrays.fill(minutes, minute(nowMillis));
        }

        Counters(Frequency rule, Counters before) {
            this.rule = rule;
            this.values = before.values;
            this.minutes = before.minutes;
        }

        static char minute(long nowMillis) {
            return (char) (nowMillis / MILLIS_PER_MINUTE);
        }

        int decayed(int place, long nowMillis) {
            int value = values[place] & 0xff;
            if (rule.decayMinutes() == 0) {
                return value;
            }
            int idle = (minute(nowMillis) - minutes[place]) & 0xffff;
            return Math.max(0, value - idle / rule.decayMinutes());
        }

        void use(int place, long nowMillis) {
            int value = decayed(place, nowMillis);
            if (value < COUNTER_MAX) {
                double chance = 1.0 / (Math.max(0, value - INITIAL) * (double) rule.logFactor() + 1);
                value += ThreadLocalRandom.current().nextDouble() < chance ? 1 : 0;
            }
            set(place, nowMillis, value);
        }

        void set(int place, long nowMillis, int value) {
            values[place] = (byte) value;
            minutes[place] = minute(nowMillis);
        }
    }

    /** Counts how often keys are used while the limit's policy asks for it. */
    public void follow(DataLimit limit, long nowMillis) {
        Counters before = counters;
        if (limit.policy().order() != EvictionPolicy.Order.LEAST_FREQUENT) {
            counters = null;
        } else if (before == null) {
            counters = new Counters(limit.frequency(), nowMillis);
        } else if (!before.rule.equals(limit.frequency())) {
            counters = new Counters(limit.frequency(), before);
        }
    }

    void use(int database, int hash, long nowMillis) {
        mark(database, hash, nowMillis / 1000);
        Counters counted = counters;
        if (counted != null) {
            counted.use(place(database, hash), nowMillis);
        }
    }

    /** A key begins as if it had been used a few times. */
    void created(int database, int hash, long nowMillis) {
        Counters counted = counters;
        if (counted != null) {
            counted.set(place(database, hash), nowMillis, INITIAL);
        }
    }

    void mark(int database, int hash, long nowSeconds) {
        int place = place(database, hash);
        // Most uses repeat within a second: skipping the write avoids cache-line traffic.
        if (seconds[place] != (int) nowSeconds) {
            seconds[place] = (int) nowSeconds;
        }
    }

    /** Zero when unknown. */
    public long seconds(int database, int hash) {
        return Integer.toUnsignedLong(seconds[place(database, hash)]);
    }

    /** The counter after its decay; zero when uses are not counted. */
    public int frequency(int database, int hash, long nowMillis) {
        Counters counted = counters;
        return counted == null ? 0 : counted.decayed(place(database, hash), nowMillis);
    }

    void frequency(int database, int hash, long nowMillis, int value) {
        Counters counted = counters;
        if (counted != null) {
            counted.set(place(database, hash), nowMillis, value);
        }
    }

    private static int place(int database, int hash) {
        return (hash + database * 0x9e3779b9) >>> (Integer.SIZE - 18);
    }
}
