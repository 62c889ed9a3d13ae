package io.polytable.redis.model;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Map;

/** The type of a key's value. The tags are on disk: never change or reuse one. */
public enum Type {
    STRING(1, "string"),
    LIST(2, "list"),
    SET(3, "set"),
    ZSET(4, "zset"),
    HASH(5, "hash"),
    STREAM(6, "stream");

    /** The header's tag of a string whose bytes are in segments. No type may take it. */
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

    /** The name that the TYPE command replies. */
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
