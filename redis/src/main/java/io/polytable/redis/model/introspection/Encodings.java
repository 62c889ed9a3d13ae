package io.polytable.redis.model.introspection;

import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.zset.SortedSet;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.OptionalLong;

/**
 * How Redis would keep a value in memory, for OBJECT ENCODING: tools and tests ask for it, nothing here depends on it.
 * Told from the value as it is now by the thresholds that are set, so without Redis' memory of a collection that once was
 * larger; only a {@link SortedSet} has that memory, for the default thresholds, since more than this depends on it.
 */
public final class Encodings {
    private static final int EMBEDDED_BYTES_MAX = 44;
    private static final int INTEGER_BYTES_MAX = 20;

    /** Up to how many elements, none of them longer than so many bytes, are kept packed. */
    public record Packing(long elements, long bytes) {}

    /**
     * By type.
     *
     * @param list as {@code list-max-listpack-size} has it: up to so many elements, or when negative a size in bytes
     * @param integers how many members a set of nothing but integers may have to be kept as such
     */
    public record Limits(Packing hash, long list, Packing set, long integers, Packing sortedSet) {
        private static final Packing SORTED_SET_DEFAULT = new Packing(128, 64);
    }

    public String of(Space space, Header header, Limits limits) {
        return switch (header.type()) {
            case STRING -> ofString(header.rowTail());
            case LIST -> PackedList.fits(space, (CollectionHeader) header, limits.list) ? "listpack" : "quicklist";
            case SET -> ofSet(space, (CollectionHeader) header, limits);
            case ZSET -> ofSortedSet(space, (CollectionHeader) header, limits.sortedSet);
            case HASH -> isShort(space, header, ElementKind.HASH_FIELD, limits.hash) ? "listpack" : "hashtable";
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

    private static String ofSortedSet(Space space, CollectionHeader set, Packing packing) {
        boolean packed = packing.equals(Limits.SORTED_SET_DEFAULT)
                ? !SortedSet.isWide(set)
                : isShort(space, set, ElementKind.ZSET_MEMBER, packing);
        return packed ? "listpack" : "skiplist";
    }

    private String ofSet(Space space, CollectionHeader set, Limits limits) {
        if (set.size() <= limits.integers && hasOnlyIntegers(space, set)) {
            return "intset";
        }
        return isShort(space, set, ElementKind.SET_MEMBER, limits.set) ? "listpack" : "hashtable";
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

    private static boolean isShort(Space space, Header header, ElementKind kind, Packing packing) {
        if (!(header instanceof CollectionHeader collection) || collection.size() > packing.elements) {
            return false;
        }
        Elements elements = space.elements(collection, kind);
        try (Cursor rows = elements.scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (rows.next()) {
                // Only a field's value is one of the packed strings.
                boolean longValue =
                        kind == ElementKind.HASH_FIELD && rows.value().length() > packing.bytes;
                if (longValue || elements.sub(rows).length() > packing.bytes) {
                    return false;
                }
            }
        }
        return true;
    }
}
