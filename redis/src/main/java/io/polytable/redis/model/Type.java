package io.polytable.redis.model;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Map;

/** What a key can hold. The tags are on disk: never changed, never reused. */
public enum Type {
    STRING(1, "string"),
    LIST(2, "list"),
    SET(3, "set"),
    ZSET(4, "zset"),
    HASH(5, "hash"),
    STREAM(6, "stream");

    /** In a header: a string whose bytes are in segments. No other type may have this tag. */
    public static final int SEGMENTED_STRING_TAG = 7;

    private static final Type[] ALL = values();

    private final int tag;
    private final String text;

    Type(int tag, String text) {
        this.tag = tag;
        this.text = text;
    }

    public int tag() {
        return tag;
    }

    /** As the TYPE command says it. */
    public String text() {
        return text;
    }

    public static Type ofTag(int tag) {
        if (tag < 1 || tag > ALL.length) {
            throw new StoreException(StoreError.NEWER_FORMAT, "Unknown type of a key", Map.of("tag", tag));
        }
        return ALL[tag - 1];
    }
}
