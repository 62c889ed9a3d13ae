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

    /** The name without the leading {@code @}. */
    public String text() {
        return text;
    }

    /** The category of this name, in any case; null for an unknown name. */
    public static @Nullable Category named(Bytes name) {
        for (Category category : values()) {
            if (CaseFolding.equal(name, category.text)) {
                return category;
            }
        }
        return null;
    }
}
