package io.polytable.redis.model.introspection;

import io.polytable.redis.model.hash.Hashes;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.packing.Packing;
import io.polytable.redis.model.packing.PackingLimits;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.StringHeader;
import io.polytable.redis.model.set.SetForm;
import io.polytable.redis.model.zset.SortedSet;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.OptionalLong;

/**
 * The encoding that Redis would use for a value: the answer of OBJECT ENCODING, and the basis of DUMP. Redis does not
 * pack a hash, set or sorted set again that was once too large, so the headers remember that; for the rest the
 * thresholds decide on the present value. A list's encoding follows from its present size alone.
 */
public final class Encodings {
    /** By the names that clients know. */
    public enum Encoding {
        INT,
        EMBSTR,
        RAW,
        INTSET,
        LISTPACK,
        QUICKLIST,
        HASHTABLE,
        SKIPLIST,
        STREAM
    }

    public Encoding of(Space space, Header header, PackingLimits limits) {
        if (header instanceof StringHeader string) {
            return ofString(string);
        }
        CollectionHeader collection = (CollectionHeader) header;
        return switch (header.type()) {
            case STRING -> Encoding.RAW;
            case LIST -> PackedList.fits(space, collection, limits) ? Encoding.LISTPACK : Encoding.QUICKLIST;
            case SET -> ofSet(space, collection, limits);
            case ZSET -> ofSortedSet(space, collection, limits.sortedSet());
            case HASH ->
                !Hashes.isWide(collection) && isShort(space, collection, ElementKind.HASH_FIELD, limits.hash())
                        ? Encoding.LISTPACK
                        : Encoding.HASHTABLE;
            case STREAM -> Encoding.STREAM;
        };
    }

    /** Whether Redis would share one object between all keys with this integer: from zero up to the limit. */
    public boolean isShared(StringHeader string, long limit) {
        OptionalLong number = Numbers.parseLong(string.value());
        return string.form() == StringHeader.Form.BY_VALUE
                && number.isPresent()
                && number.getAsLong() >= 0
                && number.getAsLong() < limit;
    }

    private static Encoding ofString(StringHeader string) {
        Bytes value = string.value();
        if (string.form() == StringHeader.Form.RAW || value.length() > StringHeader.EMBEDDED_BYTES_MAX) {
            return Encoding.RAW;
        }
        return string.form() == StringHeader.Form.BY_VALUE && SetForm.isInteger(value) ? Encoding.INT : Encoding.EMBSTR;
    }

    private static Encoding ofSortedSet(Space space, CollectionHeader set, Packing packing) {
        boolean packed = packing.equals(PackingLimits.STANDARD.sortedSet())
                ? !SortedSet.isWide(set)
                : isShort(space, set, ElementKind.ZSET_MEMBER, packing);
        return packed ? Encoding.LISTPACK : Encoding.SKIPLIST;
    }

    private static Encoding ofSet(Space space, CollectionHeader set, PackingLimits limits) {
        SetForm form = SetForm.of(set);
        if (form == SetForm.BY_MEMBERS && set.size() <= limits.integers() && hasOnlyIntegers(space, set)) {
            return Encoding.INTSET;
        }
        return form != SetForm.TABLE && isShort(space, set, ElementKind.SET_MEMBER, limits.set())
                ? Encoding.LISTPACK
                : Encoding.HASHTABLE;
    }

    private static boolean hasOnlyIntegers(Space space, CollectionHeader set) {
        Elements members = space.elements(set, ElementKind.SET_MEMBER);
        try (Cursor rows = members.scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (rows.next()) {
                if (!SetForm.isInteger(members.sub(rows))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isShort(Space space, CollectionHeader collection, ElementKind kind, Packing packing) {
        if (collection.size() > packing.elements()) {
            return false;
        }
        Elements elements = space.elements(collection, kind);
        try (Cursor rows = elements.scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (rows.next()) {
                // Only a field's value is one of the packed strings.
                boolean longValue = kind == ElementKind.HASH_FIELD && packing.isTooLong(rows.value());
                if (longValue || packing.isTooLong(elements.sub(rows))) {
                    return false;
                }
            }
        }
        return true;
    }
}
