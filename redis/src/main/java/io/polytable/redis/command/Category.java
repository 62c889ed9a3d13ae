package io.polytable.redis.command;

import java.util.Locale;

/** What an ACL rule can name, in the order in which Redis lists them. */
public enum Category {
    KEYSPACE,
    READ,
    WRITE,
    SET,
    SORTEDSET,
    LIST,
    HASH,
    STRING,
    BITMAP,
    HYPERLOGLOG,
    GEO,
    STREAM,
    PUBSUB,
    ADMIN,
    FAST,
    SLOW,
    BLOCKING,
    DANGEROUS,
    CONNECTION,
    TRANSACTION,
    SCRIPTING;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** Without the at sign. */
    public String text() {
        return text;
    }
}
