package io.polytable.table;

import io.polytable.table.column.ColumnType;
import io.polytable.table.column.SortOrder;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How the rows of a table expire: never or, in a stream table with a time to live whose key begins with a time, by key.
 * Nothing is stored with the rows; a scan starts at the first row that has not expired.
 */
public final class Expiry {
    /** A time at which nothing has expired: for readers that must see rows until they are removed. */
    public static final long BEFORE_ALL = Long.MIN_VALUE;

    private static final Expiry NEVER = new Expiry(0, 1);
    private static final Duration TTL_MAX = Duration.ofDays(365L * 100_000);

    /** Zero if rows never expire. */
    private final long ttlMillis;

    private final long unitsPerMilli;

    private Expiry(long ttlMillis, long unitsPerMilli) {
        this.ttlMillis = ttlMillis;
        this.unitsPerMilli = unitsPerMilli;
    }

    static Expiry of(TableSpec spec) {
        Optional<Duration> ttl = spec.options().ttl();
        if (ttl.isEmpty() || !hasTimeKey(spec)) {
            return NEVER;
        }
        boolean micros = firstKeyColumn(spec) == ColumnType.TIMESTAMP;
        return new Expiry(millis(ttl.get()), micros ? 1000 : 1);
    }

    /** At least a millisecond, and small enough to be added to a clock without overflow. */
    private static long millis(Duration ttl) {
        return Math.max(1, (ttl.compareTo(TTL_MAX) > 0 ? TTL_MAX : ttl).toMillis());
    }

    /** Whether rows are ordered by time: milliseconds (BIGINT) or microseconds (TIMESTAMP) since 1970. */
    private static boolean hasTimeKey(TableSpec spec) {
        ColumnType type = firstKeyColumn(spec);
        return spec.kind() == TableKind.STREAM
                && spec.partitionKey().get(0).order() == SortOrder.ASCENDING
                && (type == ColumnType.BIGINT || type == ColumnType.TIMESTAMP);
    }

    private static ColumnType firstKeyColumn(TableSpec spec) {
        int first = spec.indexOf(spec.partitionKey().get(0).column());
        return spec.columns().get(first).type();
    }

    public boolean isNever() {
        return ttlMillis == 0;
    }

    /** The visible value of a stored row. */
    public Optional<Bytes> shown(Bytes key, Optional<Bytes> stored, long nowMillis) {
        return isAlive(key, nowMillis) ? stored : Optional.empty();
    }

    /** The visible values of stored rows, one for each key. */
    public List<Optional<Bytes>> shown(List<RowKey> keys, List<Optional<Bytes>> stored, long nowMillis) {
        if (isNever()) {
            return stored;
        }
        List<Optional<Bytes>> shown = new ArrayList<>(stored.size());
        for (int i = 0; i < stored.size(); i++) {
            shown.add(shown(keys.get(i).bytes(), stored.get(i), nowMillis));
        }
        return shown;
    }

    /** The part of a range whose rows have not expired. */
    public KeyRange alive(KeyRange range, long nowMillis) {
        if (isAlive(range.from(), nowMillis)) {
            return range;
        }
        Bytes first = firstAlive(nowMillis);
        if (!range.to().isEmpty() && range.to().compareTo(first) <= 0) {
            return new KeyRange(range.to(), range.to(), 0);
        }
        return KeyRange.between(first, range.to());
    }

    /** The range of expired rows, which come first; empty if rows never expire. */
    public KeyRange over(long nowMillis) {
        return isNever() ? KeyRange.NONE : KeyRange.between(Bytes.EMPTY, firstAlive(nowMillis));
    }

    private boolean isAlive(Bytes key, long nowMillis) {
        return isNever() || nowMillis == BEFORE_ALL || key.compareTo(firstAlive(nowMillis)) >= 0;
    }

    private Bytes firstAlive(long nowMillis) {
        long first = (nowMillis - ttlMillis) * unitsPerMilli + 1;
        // Keys hold signed numbers with the sign bit flipped, so that their bytes are in order.
        return Bytes.of(
                ByteBuffer.allocate(Long.BYTES).putLong(first ^ Long.MIN_VALUE).array());
    }
}
