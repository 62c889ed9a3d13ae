package io.polytable.cells.store.write;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.cells.layout.CellKeys;
import io.polytable.cells.request.Nonce;
import io.polytable.cells.request.WriteResult;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import io.polytable.table.write.Batch;
import io.polytable.table.write.WriteSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stores nonces as rows beside the cells, in the same commit as the write that they identify. Their keys are grouped
 * into time buckets, so that one range delete removes all expired ones. A lookup reads each live bucket, unless its
 * {@link NonceFilter} rules the nonce out.
 */
public final class Nonces {
    /** A nonce's life spans this many buckets, plus the current one. */
    private static final int BUCKETS_PER_LIFE = 2;

    /** Filters of buckets further away from the current one are dropped. */
    private static final int FILTERS_AROUND = 2 * BUCKETS_PER_LIFE;

    private static final int KIND = 'n';
    private static final int VERSION = 1;

    private final long bucketMillis;
    private final AtomicLong newestBucket = new AtomicLong();
    private final Map<Long, NonceFilter> filters = new ConcurrentHashMap<>();

    public Nonces(Duration life) {
        bucketMillis = Math.max(1, life.toMillis() / BUCKETS_PER_LIFE);
    }

    Optional<WriteResult> find(Reader reader, Table table, Bytes row, Nonce nonce, long nowMillis) {
        long bucket = bucket(nowMillis);
        // Later buckets, too: the clock may have been set back while the server was down.
        for (long candidate = bucket + BUCKETS_PER_LIFE; candidate >= bucket - BUCKETS_PER_LIFE; candidate--) {
            if (filter(candidate).mayHave(reader, table, nonce)) {
                Optional<Bytes> found = reader.read(table, key(candidate, nonce));
                if (found.isPresent()) {
                    return Optional.of(decode(row, found.get()));
                }
            }
        }
        return Optional.empty();
    }

    void put(WriteSet set, Table table, Nonce nonce, WriteResult result, long nowMillis) {
        long bucket = bucket(nowMillis);
        if (bucket != newestBucket.get()) {
            newestBucket.set(bucket);
        }
        filter(bucket).add(table, nonce);
        set.put(table, key(bucket, nonce), encode(result));
    }

    private NonceFilter filter(long bucket) {
        NonceFilter known = filters.get(bucket);
        if (known != null) {
            return known;
        }
        // Keeps the buckets of a lookup, and some more in case the clock is set back a little.
        filters.keySet().removeIf(other -> Math.abs(other - bucket) > FILTERS_AROUND);
        return filters.computeIfAbsent(bucket, unused -> new NonceFilter(keys(bucket, bucket + 1)));
    }

    /**
     * The current bucket. It does not go back with the clock, since nonces in later buckets would not be found; if the
     * clock goes back far, it was wrong before, and the bucket follows.
     */
    private long bucket(long nowMillis) {
        long bucket = nowMillis / bucketMillis;
        long newest = newestBucket.get();
        return newest > bucket && newest <= bucket + BUCKETS_PER_LIFE ? newest : bucket;
    }

    /** Removes the expired nonces. */
    public void forget(TableStore store, Table table, long nowMillis) {
        KeyRange old = keys(0, nowMillis / bucketMillis - BUCKETS_PER_LIFE);
        try (Cursor any = store.scan(table, old, Direction.FORWARD, 1)) {
            if (!any.next()) {
                return;
            }
        }
        store.commit(new Batch().deleteRange(table, old));
    }

    /** The key range of the buckets from {@code first} (inclusive) to {@code end} (exclusive). */
    private static KeyRange keys(long first, long end) {
        return KeyRange.between(CellKeys.bookkeeping(prefix(first)), CellKeys.bookkeeping(prefix(end)));
    }

    private static Bytes prefix(long bucket) {
        return new BytesWriter(9).u8(KIND).i64(Math.max(0, bucket)).toBytes();
    }

    private static RowKey key(long bucket, Nonce nonce) {
        Bytes suffix = new BytesWriter(25)
                .raw(prefix(bucket))
                .i64(nonce.group())
                .i64(nonce.number())
                .toBytes();
        return RowKey.whole(CellKeys.bookkeeping(suffix));
    }

    private static Bytes encode(WriteResult result) {
        BytesWriter out = new BytesWriter();
        out.u8(VERSION).u8(result.applied() ? 1 : 0).varint(result.cells().size());
        for (Cell cell : result.cells()) {
            out.sized(cell.family()).sized(cell.qualifier()).zigzag(cell.timestamp());
            out.sized(cell.value()).varint(cell.ttlMillis());
        }
        return out.toBytes();
    }

    private static WriteResult decode(Bytes row, Bytes stored) {
        BytesReader in = new BytesReader(stored);
        in.u8();
        boolean applied = in.u8() == 1;
        List<Cell> cells = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
            Bytes family = in.sized();
            Bytes qualifier = in.sized();
            long timestamp = in.zigzag();
            Bytes value = in.sized();
            cells.add(new Cell(row, family, qualifier, timestamp, CellKind.PUT, value, in.varint()));
        }
        return new WriteResult(applied, cells);
    }
}
