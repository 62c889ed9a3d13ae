package io.polytable.redis.command;

import io.polytable.table.Bytes;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The ACL categories, in the order in which Redis lists them. */
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

    /** Whatever the case of its letters; null when there is none. */
    public static @Nullable Category named(Bytes name) {
        for (Category category : values()) {
            if (CaseFolding.equal(name, category.text)) {
                return category;
            }
        }
        return null;
    }
}
