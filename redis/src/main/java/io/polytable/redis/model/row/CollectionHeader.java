package io.polytable.redis.model.row;

import io.polytable.redis.model.Type;
import io.polytable.table.Bytes;

/**
 * The row of a collection: a hash, set, sorted set, list or stream, or a string in {@link Segments}. The elements are
 * rows of their own under {@code id}, so renaming or deleting a collection of any size touches this row only.
 *
 * @param id from the store's tickets, never reused: a new collection never meets an old one's elements
 * @param home the shard whose element table has the elements; it stays when the key is renamed into another shard
 * @param size the number of elements that a client counts; for a string its length in bytes
 * @param fields state of the type itself
 */
public record CollectionHeader(Type type, long expireAt, long id, int home, long size, Bytes fields) implements Header {
    static CollectionHeader decode(Type type, long expireAt, Bytes rest) {
        long id = BigEndian.longAt(rest, 0);
        int home = rest.at(Long.BYTES) & 0xff;
        int at = Long.BYTES + 1;
        long size = 0;
        int shift = 0;
        byte b;
        do {
            b = rest.at(at++);
            size |= (long) (b & 0x7f) << shift;
            shift += 7;
        } while (b < 0 && shift < Long.SIZE);
        return new CollectionHeader(type, expireAt, id, home, size, rest.from(at));
    }

    @Override
    public CollectionHeader withExpireAt(long deadlineMillis) {
        return new CollectionHeader(type, deadlineMillis, id, home, size, fields);
    }

    public CollectionHeader withHome(int shard) {
        return new CollectionHeader(type, expireAt, id, shard, size, fields);
    }

    public CollectionHeader withSize(long newSize) {
        return new CollectionHeader(type, expireAt, id, home, newSize, fields);
    }

    public CollectionHeader withFields(Bytes newFields) {
        return new CollectionHeader(type, expireAt, id, home, size, newFields);
    }

    /**
     * Whether the key must be removed: its last element is gone. An empty stream stays, since its last id and its
     * groups must survive.
     */
    public boolean isOver() {
        return size == 0 && type != Type.STREAM;
    }

    @Override
    public Bytes rowHead() {
        int sizeLength = Math.max(1, (70 - Long.numberOfLeadingZeros(size)) / 7);
        int more = Long.BYTES + 1 + sizeLength;
        byte[] bytes = Header.begin(type == Type.STRING ? Type.SEGMENTED_STRING_TAG : type.tag(), expireAt, more);
        int at = bytes.length - more;
        BigEndian.putLong(bytes, at, id);
        bytes[at + Long.BYTES] = (byte) home;
        at += Long.BYTES + 1;
        long rest = size;
        for (int i = 1; i < sizeLength; i++) {
            bytes[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[at] = (byte) rest;
        return Bytes.of(bytes);
    }

    @Override
    public Bytes rowTail() {
        return fields;
    }
}
