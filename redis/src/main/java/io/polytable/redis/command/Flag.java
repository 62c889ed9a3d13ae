package io.polytable.redis.command;

import java.util.Locale;

/** The command flags that COMMAND reports, in Redis' order. This server obeys some of them. */
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
    /** Allowed before authentication. */
    NO_AUTH,
    MAY_REPLICATE,
    NO_MANDATORY_KEYS,
    NO_ASYNC_LOADING,
    NO_MULTI,
    /** First, last and step do not describe the key positions. Derived from the key specifications, not declared. */
    MOVABLEKEYS,
    ALLOW_BUSY;

    private final String text = name().toLowerCase(Locale.ROOT);

    public String text() {
        return text;
    }
}
