package io.polytable.redis.model.row;

import io.polytable.redis.model.Type;
import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Map;

/**
 * A key's row: its type and deadline, and the value itself or where its elements are. The bytes
 * (docs/formats/redis.md):
 *
 * <pre>
 * tag:1  [deadline millis:8, when bit 7 of the tag is set]  rest
 * </pre>
 */
public sealed interface Header permits StringHeader, CollectionHeader {
    /** The deadline of keys that never expire. */
    long NEVER = -1;

    int HAS_DEADLINE = 0x80;

    Type type();

    /** Milliseconds since 1970, or {@link #NEVER}. */
    long expireAt();

    Header withExpireAt(long deadlineMillis);

    /** The first part of the row's bytes; {@link #rowTail()} is the rest. */
    Bytes rowHead();

    Bytes rowTail();

    default boolean hasDeadline() {
        return expireAt() != NEVER;
    }

    /** As in Redis, a key still exists in the millisecond of its deadline. */
    default boolean isExpired(long nowMillis) {
        return expireAt() != NEVER && nowMillis > expireAt();
    }

    static Header decode(Bytes row) {
        try {
            int tag = row.at(0);
            boolean expires = tag < 0;
            long expireAt = expires ? BigEndian.longAt(row, 1) : NEVER;
            Bytes rest = row.from(expires ? 1 + Long.BYTES : 1);
            int type = tag & 0x7f;
            if (StringHeader.isTag(type)) {
                return new StringHeader(expireAt, rest, StringHeader.form(type));
            }
            return CollectionHeader.decode(
                    type == Type.SEGMENTED_STRING_TAG ? Type.STRING : Type.ofTag(type), expireAt, rest);
        } catch (IndexOutOfBoundsException e) {
            throw new StoreException(StoreError.CORRUPT, "Header of a key is too short", Map.of("row", row), e);
        }
    }

    /** The tag and the deadline, with {@code more} bytes of space after them. */
    static byte[] begin(int tag, long expireAt, int more) {
        if (expireAt == NEVER) {
            byte[] bytes = new byte[1 + more];
            bytes[0] = (byte) tag;
            return bytes;
        }
        byte[] bytes = new byte[1 + Long.BYTES + more];
        bytes[0] = (byte) (tag | HAS_DEADLINE);
        BigEndian.putLong(bytes, 1, expireAt);
        return bytes;
    }
}
