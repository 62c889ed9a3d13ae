package io.polytable.redis.model.row;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.Limits;
import io.polytable.table.RowKey;

/**
 * The keys of all rows of the frontend (docs/formats/redis.md):
 *
 * <pre>
 * keys      database:1  hash:4  redis key               partition: database
 * elements  id:8  kind:1  [hash:4]  sub-key             partition: id, kind
 * expiries  1  deadline millis:8  database:1  redis key partition: the 1
 * garbage   1  id:8                                     partition: the 1
 * settings  name                                        partition: all
 * </pre>
 */
public final class Layout {
    static final int KEY_PREFIX = 1 + KeyedHash.BYTES;
    public static final int ELEMENT_PREFIX = Long.BYTES + 1;
    static final int EXPIRY_PREFIX = DeadlineQueue.PREFIX_BYTES + 1;

    /** A Redis key: its rows add a few bytes to it. */
    public static final int REDIS_KEY_BYTES_MAX = Limits.KEY_BYTES_MAX - 32;

    /** Garbage is a queue that is read from its start, so it has one partition. */
    private static final byte QUEUE = 1;

    /** Appended to a key it makes the next larger key. */
    private static final Bytes ZERO = Bytes.of(new byte[1]);

    private Layout() {}

    public static RowKey key(int db, int hash, Bytes key) {
        byte[] row = new byte[KEY_PREFIX + key.length()];
        row[0] = (byte) db;
        BigEndian.putInt(row, 1, hash);
        key.copyTo(row, KEY_PREFIX);
        return new RowKey(Bytes.of(row), 1);
    }

    /** The row of one key, as a range. */
    public static KeyRange justKey(int db, int hash, Bytes key) {
        Bytes row = key(db, hash, key).bytes();
        return new KeyRange(row, row.concat(ZERO), 1);
    }

    public static Bytes redisKey(Bytes keyRow) {
        return keyRow.from(KEY_PREFIX);
    }

    public static Bytes database(int db) {
        return Bytes.of(new byte[] {(byte) db});
    }

    public static RowKey element(long id, ElementKind kind, Bytes sub) {
        byte[] row = new byte[ELEMENT_PREFIX + sub.length()];
        putElementPrefix(row, id, kind);
        sub.copyTo(row, ELEMENT_PREFIX);
        return new RowKey(Bytes.of(row), ELEMENT_PREFIX);
    }

    public static RowKey hashOrderedElement(long id, ElementKind kind, int hash, Bytes sub) {
        byte[] row = new byte[ELEMENT_PREFIX + KeyedHash.BYTES + sub.length()];
        putElementPrefix(row, id, kind);
        BigEndian.putInt(row, ELEMENT_PREFIX, hash);
        sub.copyTo(row, ELEMENT_PREFIX + KeyedHash.BYTES);
        return new RowKey(Bytes.of(row), ELEMENT_PREFIX);
    }

    /** The row of one element, as a range. */
    public static KeyRange justElement(long id, ElementKind kind, int hash, Bytes sub) {
        Bytes row = hashOrderedElement(id, kind, hash, sub).bytes();
        return new KeyRange(row, row.concat(ZERO), ELEMENT_PREFIX);
    }

    private static void putElementPrefix(byte[] row, long id, ElementKind kind) {
        BigEndian.putLong(row, 0, id);
        row[Long.BYTES] = (byte) kind.tag();
    }

    /** The prefix of all element rows of a collection. */
    public static Bytes elementsOf(long id) {
        byte[] prefix = new byte[Long.BYTES];
        BigEndian.putLong(prefix, 0, id);
        return Bytes.of(prefix);
    }

    /** A collection's elements of one kind. */
    public static KeyRange elements(long id, ElementKind kind) {
        return KeyRange.partition(element(id, kind, Bytes.EMPTY).bytes());
    }

    /** Rows of one collection and kind, from one (inclusive) to another (exclusive). */
    static KeyRange between(RowKey from, RowKey to) {
        return new KeyRange(from.bytes(), to.bytes(), ELEMENT_PREFIX);
    }

    /** The key of the same element in another collection. */
    public static RowKey withId(Bytes elementRow, long id) {
        byte[] row = elementRow.toByteArray();
        BigEndian.putLong(row, 0, id);
        return new RowKey(Bytes.of(row), ELEMENT_PREFIX);
    }

    public static RowKey expiry(long deadlineMillis, int db, Bytes key) {
        byte[] name = new byte[1 + key.length()];
        name[0] = (byte) db;
        key.copyTo(name, 1);
        return DeadlineQueue.key(deadlineMillis, Bytes.of(name));
    }

    public static Bytes expiringKey(Bytes expiryRow) {
        return expiryRow.from(EXPIRY_PREFIX);
    }

    public static long deadline(Bytes expiryRow) {
        return DeadlineQueue.deadlineMillis(expiryRow);
    }

    public static int expiringDatabase(Bytes expiryRow) {
        return expiryRow.at(EXPIRY_PREFIX - 1) & 0xff;
    }

    public static RowKey garbage(long id) {
        byte[] row = new byte[1 + Long.BYTES];
        row[0] = QUEUE;
        BigEndian.putLong(row, 1, id);
        return new RowKey(Bytes.of(row), 1);
    }

    public static long garbageId(Bytes garbageRow) {
        return BigEndian.longAt(garbageRow, 1);
    }

    public static KeyRange garbage() {
        return KeyRange.partition(Bytes.of(new byte[] {QUEUE}));
    }
}
