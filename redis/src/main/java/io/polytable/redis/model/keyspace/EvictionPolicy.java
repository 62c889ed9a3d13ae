package io.polytable.redis.model.keyspace;

import java.util.Locale;

/** Which keys are removed when the data exceeds {@code maxmemory}. */
public enum EvictionPolicy {
    VOLATILE_LRU(true, Order.LEAST_RECENT),
    VOLATILE_LFU(true, Order.LEAST_FREQUENT),
    VOLATILE_RANDOM(true, Order.RANDOM),
    VOLATILE_TTL(true, Order.DEADLINE),
    ALLKEYS_LRU(false, Order.LEAST_RECENT),
    ALLKEYS_LFU(false, Order.LEAST_FREQUENT),
    ALLKEYS_RANDOM(false, Order.RANDOM),
    NOEVICTION(false, Order.NONE);

    /** Which of several keys goes first. */
    public enum Order {
        LEAST_RECENT,
        LEAST_FREQUENT,
        RANDOM,
        DEADLINE,
        NONE
    }

    private final boolean expiringOnly;
    private final Order order;

    EvictionPolicy(boolean expiringOnly, Order order) {
        this.expiringOnly = expiringOnly;
        this.order = order;
    }

    /** By the name that CONFIG uses. */
    public static EvictionPolicy of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** As CONFIG spells it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it removes only keys with a deadline. */
    public boolean isExpiringOnly() {
        return expiringOnly;
    }

    public Order order() {
        return order;
    }

    public boolean evicts() {
        return order != Order.NONE;
    }
}
