package io.polytable.table;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How the rows of a table expire:
 *
 * <ul>
 *   <li>never;
 *   <li>by key: in a stream table with a time to live whose key begins with a time. Nothing is stored with the rows; a
 *       scan starts at the first row that has not expired;
 *   <li>by row: each value starts with a {@link Deadline}, which {@link Batch} writes and every read checks and strips.
 * </ul>
 */
public final class Expiry {
    /** A time at which nothing has expired: for readers that must see rows until they are removed. */
    public static final long BEFORE_ALL = Long.MIN_VALUE;

    private static final Expiry NEVER = new Expiry(Kind.NEVER, 0, 1);
    private static final Duration TTL_MAX = Duration.ofDays(365L * 100_000);
    private static final int TIME_BYTES = Long.BYTES;

    private final Kind kind;
    private final long ttlMillis;
    private final long unitsPerMilli;

    private enum Kind {
        NEVER,
        BY_KEY,
        BY_ROW
    }

    private Expiry(Kind kind, long ttlMillis, long unitsPerMilli) {
        this.kind = kind;
        this.ttlMillis = ttlMillis;
        this.unitsPerMilli = unitsPerMilli;
    }

    static Expiry of(TableSpec spec) {
        long ttlMillis = spec.options().ttl().map(Expiry::millis).orElse(0L);
        if (spec.options().rowDeadlines()) {
            return new Expiry(Kind.BY_ROW, ttlMillis, 1);
        }
        if (ttlMillis == 0 || !hasTimeKey(spec)) {
            return NEVER;
        }
        boolean micros = firstKeyColumn(spec) == ColumnType.TIMESTAMP;
        return new Expiry(Kind.BY_KEY, ttlMillis, micros ? 1000 : 1);
    }

    /** At least a millisecond, and small enough to be added to a clock without overflow. */
    private static long millis(Duration ttl) {
        return Math.max(1, (ttl.compareTo(TTL_MAX) > 0 ? TTL_MAX : ttl).toMillis());
    }

    /** Whether rows are ordered by time: milliseconds (BIGINT) or microseconds (TIMESTAMP) since 1970. */
    static boolean hasTimeKey(TableSpec spec) {
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
        return kind == Kind.NEVER;
    }

    public boolean isByKey() {
        return kind == Kind.BY_KEY;
    }

    public boolean isByRow() {
        return kind == Kind.BY_ROW;
    }

    /** The table's time to live; zero for none. */
    public long ttlMillis() {
        return ttlMillis;
    }

    /** The deadline of a row written now without one of its own. */
    public long deadlineFrom(long nowMillis) {
        return ttlMillis == 0 ? Deadline.NEVER : Deadline.at(nowMillis + ttlMillis);
    }

    /** The visible value of a stored row. */
    public Optional<Bytes> shown(Bytes key, Optional<Bytes> stored, long nowMillis) {
        if (kind == Kind.NEVER || stored.isEmpty()) {
            return stored;
        }
        if (kind == Kind.BY_KEY) {
            return isAlive(key, nowMillis) ? stored : Optional.empty();
        }
        return Deadline.isOver(Deadline.of(stored.get()), nowMillis) ? Optional.empty() : stored.map(this::value);
    }

    /** The visible values of stored rows, one for each key. */
    public List<Optional<Bytes>> shown(List<RowKey> keys, List<Optional<Bytes>> stored, long nowMillis) {
        if (kind == Kind.NEVER) {
            return stored;
        }
        List<Optional<Bytes>> shown = new ArrayList<>(stored.size());
        for (int i = 0; i < stored.size(); i++) {
            shown.add(shown(keys.get(i).bytes(), stored.get(i), nowMillis));
        }
        return shown;
    }

    /** The time at which a stored row expires; a time that no clock reaches for one that never does. */
    public long deadlineMillis(Bytes key, Bytes stored) {
        return switch (kind) {
            case NEVER -> Long.MAX_VALUE;
            case BY_KEY -> Math.floorDiv(Deadline.of(key) ^ Long.MIN_VALUE, unitsPerMilli) + ttlMillis;
            case BY_ROW -> Deadline.millis(Deadline.of(stored));
        };
    }

    /** The value of a stored row as its writer gave it. */
    public Bytes value(Bytes stored) {
        return kind == Kind.BY_ROW ? stored.from(Deadline.BYTES) : stored;
    }

    /** Opens a scan over the rows as they are stored. */
    @FunctionalInterface
    public interface StoredScan {
        Cursor open(KeyRange range, long limit);
    }

    /**
     * A cursor over the rows that have not expired at that time; it shows the same rows however long it stays open.
     */
    public Cursor scan(KeyRange range, long limit, long nowMillis, StoredScan stored) {
        return switch (kind) {
            case NEVER -> stored.open(range, limit);
            case BY_KEY -> stored.open(alive(range, nowMillis), limit);
            case BY_ROW -> new ExpiringCursor(stored.open(range, Long.MAX_VALUE), nowMillis, limit);
        };
    }

    private boolean isAlive(Bytes key, long nowMillis) {
        return nowMillis == BEFORE_ALL || key.compareTo(firstAlive(nowMillis)) >= 0;
    }

    /** In a table that expires by key: the range of expired rows, which come first. */
    public KeyRange over(long nowMillis) {
        return KeyRange.between(Bytes.EMPTY, firstAlive(nowMillis));
    }

    private Bytes firstAlive(long nowMillis) {
        long first = (nowMillis - ttlMillis) * unitsPerMilli + 1;
        byte[] key = new byte[TIME_BYTES];
        Deadline.write(first ^ Long.MIN_VALUE, key, 0);
        return Bytes.of(key);
    }

    private KeyRange alive(KeyRange range, long nowMillis) {
        if (isAlive(range.from(), nowMillis)) {
            return range;
        }
        Bytes first = firstAlive(nowMillis);
        if (!range.to().isEmpty() && range.to().compareTo(first) <= 0) {
            return new KeyRange(range.to(), range.to(), 0);
        }
        return KeyRange.between(first, range.to());
    }
}
