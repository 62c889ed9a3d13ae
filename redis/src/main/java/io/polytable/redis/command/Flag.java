package io.polytable.redis.command;

import java.util.Locale;

/** The command flags that COMMAND reports, some of which this server obeys, in Redis' order. */
public enum Flag {
    WRITE,
    READONLY,
    DENYOOM,
    MODULE,
    ADMIN,
    PUBSUB,
    NOSCRIPT,
    BLOCKING,
    LOADING,
    STALE,
    SKIP_MONITOR,
    SKIP_SLOWLOG,
    ASKING,
    FAST,
    /** Runs before a client has said who it is. */
    NO_AUTH,
    MAY_REPLICATE,
    NO_MANDATORY_KEYS,
    NO_ASYNC_LOADING,
    NO_MULTI,
    /** The key positions do not follow from first, last and step: set by the key specs, not by hand. */
    MOVABLEKEYS,
    ALLOW_BUSY;

    private final String text = name().toLowerCase(Locale.ROOT);

    public String text() {
        return text;
    }
}
