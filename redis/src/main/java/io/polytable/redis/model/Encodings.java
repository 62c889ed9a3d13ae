package io.polytable.redis.model;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.OptionalLong;

/**
 * How Redis would keep a value in memory, for OBJECT ENCODING: tools and tests ask for it, nothing here depends on it.
 * Told from the value as it is now by Redis' default thresholds, so without Redis' memory of a collection that once was
 * larger; only a {@link SortedSet} has that memory, since more than this depends on it.
 */
public final class Encodings {
    private static final int EMBEDDED_BYTES_MAX = 44;
    private static final int INTEGER_BYTES_MAX = 20;
    private static final int LISTPACK_BYTES_MAX = 64;
    private static final int HASH_LISTPACK_MAX = 512;
    private static final int LIST_LISTPACK_MAX = 128;
    private static final int SET_LISTPACK_MAX = 128;
    private static final int SET_INTSET_MAX = 512;

    public String of(Space space, Header header) {
        return switch (header.type()) {
            case STRING -> ofString(header.rowTail());
            case LIST ->
                header instanceof CollectionHeader list && list.size() <= LIST_LISTPACK_MAX ? "listpack" : "quicklist";
            case SET -> ofSet(space, (CollectionHeader) header);
            case ZSET -> SortedSet.isWide((CollectionHeader) header) ? "skiplist" : "listpack";
            case HASH -> isShort(space, header, ElementKind.HASH_FIELD, HASH_LISTPACK_MAX) ? "listpack" : "hashtable";
            case STREAM -> "stream";
        };
    }

    private static boolean isInteger(Bytes value) {
        return value.length() <= INTEGER_BYTES_MAX && Numbers.parseLong(value).isPresent();
    }

    /** Whether the value spells an integer from 0 on below the limit. */
    public boolean isBelow(Bytes value, long limit) {
        OptionalLong number = Numbers.parseLong(value);
        return number.isPresent() && number.getAsLong() >= 0 && number.getAsLong() < limit;
    }

    private String ofString(Bytes value) {
        if (isInteger(value)) {
            return "int";
        }
        return value.length() <= EMBEDDED_BYTES_MAX ? "embstr" : "raw";
    }

    private String ofSet(Space space, CollectionHeader set) {
        if (set.size() <= SET_INTSET_MAX && hasOnlyIntegers(space, set)) {
            return "intset";
        }
        return isShort(space, set, ElementKind.SET_MEMBER, SET_LISTPACK_MAX) ? "listpack" : "hashtable";
    }

    private boolean hasOnlyIntegers(Space space, CollectionHeader set) {
        Elements members = space.elements(set, ElementKind.SET_MEMBER);
        try (Cursor rows = members.scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (rows.next()) {
                if (!isInteger(members.sub(rows))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isShort(Space space, Header header, ElementKind kind, int max) {
        if (!(header instanceof CollectionHeader collection) || collection.size() > max) {
            return false;
        }
        Elements elements = space.elements(collection, kind);
        try (Cursor rows = elements.scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (rows.next()) {
                if (elements.sub(rows).length() > LISTPACK_BYTES_MAX
                        || rows.value().length() > LISTPACK_BYTES_MAX) {
                    return false;
                }
            }
        }
        return true;
    }
}
