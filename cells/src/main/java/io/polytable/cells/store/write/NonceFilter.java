package io.polytable.cells.store.write;

import io.polytable.cells.request.Nonce;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.Table;
import io.polytable.table.codec.BytesReader;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * An in-memory Bloom filter of the nonces of one time bucket. Almost every nonce is used once, and the filter saves
 * the lookup in the store. It may have false positives, never false negatives.
 *
 * <p>On a table's first lookup the filter loads its stored nonces, if they are few. If an earlier process left many,
 * the filter is incomplete for that table, and every nonce of it may be stored.
 */
final class NonceFilter {
    /** One megabyte: with a million nonces in a bucket, one lookup in forty is a false positive. */
    private static final int BITS = 1 << 23;

    private static final int PROBES = 4;
    private static final int STORED_MAX = 1000;
    private static final int NONCE_BYTES = 16;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private final KeyRange keys;
    private final AtomicLongArray words = new AtomicLongArray(BITS / Long.SIZE);

    /** By table number: whether the filter has all its nonces. */
    private final Map<Integer, Boolean> complete = new ConcurrentHashMap<>();

    /** @param keys the key range of the bucket's nonces; each key ends with the nonce */
    NonceFilter(KeyRange keys) {
        this.keys = keys;
    }

    /** Call before the nonce is committed, so that there is no moment at which it is stored and not in the filter. */
    void add(Table table, Nonce nonce) {
        long hash = hash(table, nonce.group(), nonce.number());
        for (int probe = 0; probe < PROBES; probe++) {
            int bit = bit(hash, probe);
            long mask = 1L << bit;
            if ((words.get(bit / Long.SIZE) & mask) == 0) {
                words.accumulateAndGet(bit / Long.SIZE, mask, (before, added) -> before | added);
            }
        }
    }

    /** Whether the nonce may be stored for the table in this bucket. */
    boolean mayHave(Reader reader, Table table, Nonce nonce) {
        return !complete.computeIfAbsent(table.id(), unused -> takeIn(reader, table)) || has(table, nonce);
    }

    private boolean has(Table table, Nonce nonce) {
        long hash = hash(table, nonce.group(), nonce.number());
        for (int probe = 0; probe < PROBES; probe++) {
            int bit = bit(hash, probe);
            if ((words.get(bit / Long.SIZE) & (1L << bit)) == 0) {
                return false;
            }
        }
        return true;
    }

    private boolean takeIn(Reader reader, Table table) {
        try (Cursor stored = reader.scan(table, keys, Direction.FORWARD, STORED_MAX)) {
            int count = 0;
            for (; stored.next(); count++) {
                Bytes key = stored.key();
                BytesReader nonce = new BytesReader(key.from(key.length() - NONCE_BYTES));
                add(table, new Nonce(nonce.i64(), nonce.i64()));
            }
            return count < STORED_MAX;
        }
    }

    private static long hash(Table table, long group, long number) {
        long hash = mixed(table.id() ^ group);
        return mixed(hash ^ number);
    }

    private static long mixed(long value) {
        long mixed = value * MIX;
        return (mixed ^ (mixed >>> 32)) * MIX;
    }

    private static int bit(long hash, int probe) {
        return (int) (hash + probe * (hash >>> 32 | 1)) & (BITS - 1);
    }
}
