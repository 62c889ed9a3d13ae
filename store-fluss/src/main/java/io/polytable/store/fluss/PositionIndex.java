package io.polytable.store.fluss;

import io.polytable.store.fluss.ownership.Chain;
import io.polytable.store.fluss.ownership.Environment;
import io.polytable.store.fluss.ownership.Floor;
import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.store.fluss.ownership.LogRow;
import io.polytable.store.fluss.ownership.LogRows;
import io.polytable.store.fluss.ownership.RowSpan;
import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;

/**
 * Maps positions to rows: the chain as the owner found it, its own rows, and a sparse index. Only the sender changes
 * it; any thread reads.
 */
final class PositionIndex {
    private static final long MARK_EVERY_BYTES = 64 << 10;
    private static final int MARKS_MAX = 100_000;

    /** An index entry: the row in which a position begins, and the length of the log before it. */
    record Mark(LogKey key, long bytesBefore) {}

    private final HeldRows rows;
    private final long incarnation;
    private final NavigableMap<Long, Mark> marks = new ConcurrentSkipListMap<>();
    private volatile List<RowSpan> all;
    private long markEveryBytes = MARK_EVERY_BYTES;
    private long lastMarkBytes = Long.MIN_VALUE / 2;

    /** @param visibleMax how long an acknowledged row may take to become visible */
    PositionIndex(LogRows rows, Chain chain, RowSpan own, Environment environment, Duration visibleMax) {
        this.rows = new HeldRows(rows, this::all, environment, visibleMax);
        this.incarnation = chain.incarnation();
        List<RowSpan> spans = new ArrayList<>(chain.spans());
        spans.add(own);
        all = List.copyOf(spans);
    }

    List<RowSpan> all() {
        return all;
    }

    /** The rows of the log, for reading. */
    HeldRows rows() {
        return rows;
    }

    RowSpan own() {
        return all.get(all.size() - 1);
    }

    /** The first position that can be read. */
    long first() {
        return all.get(0).firstPosition();
    }

    long bytes() {
        return own().bytesBehind();
    }

    /** The checksum salt of a row: it binds its bytes to this incarnation of the log and to its key. */
    long salt(LogKey key) {
        long salt = incarnation;
        salt = 31 * salt + key.epoch();
        salt = 31 * salt + key.owner();
        return 31 * salt + key.seq();
    }

    /** Adds rows that the owner wrote and that are in the log. */
    synchronized void grow(LogRow first, LogRow last) {
        List<RowSpan> spans = new ArrayList<>(all);
        spans.set(spans.size() - 1, own().upTo(last));
        if (first.bytesBefore() - lastMarkBytes >= markEveryBytes) {
            mark(first);
            lastMarkBytes = first.bytesBefore();
        }
        all = List.copyOf(spans);
    }

    private void mark(LogRow row) {
        marks.put(row.first(), new Mark(row.key(), row.bytesBefore()));
        if (marks.size() > MARKS_MAX) {
            thinOut();
        }
    }

    private void thinOut() {
        markEveryBytes *= 2;
        boolean odd = false;
        for (var each = marks.entrySet().iterator(); each.hasNext(); odd = !odd) {
            each.next();
            if (odd) {
                each.remove();
            }
        }
    }

    /** Drops the rows below the floor. */
    synchronized void raise(Floor floor) {
        List<RowSpan> kept = new ArrayList<>(all);
        while (kept.get(0).epoch() != floor.key().epoch() && kept.size() > 1) {
            kept.remove(0);
        }
        kept.set(0, kept.get(0).from(floor));
        marks.headMap(floor.position()).clear();
        all = List.copyOf(kept);
    }

    /** The row in which the position begins; empty if the log does not contain it. */
    Optional<Mark> find(long position) {
        while (true) {
            List<RowSpan> spans = all;
            try {
                return find(spans, position);
            } catch (StoreException e) {
                // A row may be missing because the log was trimmed meanwhile, which is no damage: search the rest
                // again.
                if (spans.get(0).firstPosition() == first()) {
                    throw e;
                }
            }
        }
    }

    private Optional<Mark> find(List<RowSpan> spans, long position) {
        for (RowSpan span : spans) {
            if (!span.isEmpty() && span.firstPosition() <= position && position <= span.lastPosition()) {
                return Optional.of(find(span, position));
            }
        }
        return Optional.empty();
    }

    private Mark find(RowSpan span, long position) {
        Map.Entry<Long, Mark> before = marks.floorEntry(position);
        long low = before != null && isIn(span, before.getValue().key())
                ? before.getValue().key().seq()
                : span.firstSeq();
        Map.Entry<Long, Mark> behind = marks.higherEntry(position);
        long high = behind != null && isIn(span, behind.getValue().key())
                ? behind.getValue().key().seq() - 1
                : span.lastSeq();
        Mark found = before != null && low == before.getValue().key().seq()
                ? before.getValue()
                : new Mark(span.key(span.firstSeq()), span.bytesBefore());
        while (low < high) {
            long middle = low + (high - low + 1) / 2;
            LogKey key = span.key(middle);
            LogRow row = rows.read(key);
            if (row.first() <= position) {
                low = middle;
                found = new Mark(key, row.bytesBefore());
                remember(row.first(), found);
            } else {
                high = middle - 1;
            }
        }
        return found;
    }

    private void remember(long position, Mark mark) {
        if (marks.size() < MARKS_MAX) {
            marks.put(position, mark);
        }
    }

    private static boolean isIn(RowSpan span, LogKey key) {
        return span.epoch() == key.epoch() && span.owner() == key.owner() && key.seq() >= span.firstSeq();
    }

    /**
     * The row after this one, if the log has it by now. After a trimmed row there is none, since rows in between are
     * missing.
     */
    Optional<LogKey> after(LogKey key) {
        List<RowSpan> spans = all;
        for (int i = 0; i < spans.size(); i++) {
            if (isIn(spans.get(i), key)) {
                return key.seq() < spans.get(i).lastSeq() ? Optional.of(key.next()) : firstBehind(spans, i);
            }
        }
        return Optional.empty();
    }

    private static Optional<LogKey> firstBehind(List<RowSpan> spans, int at) {
        return spans.stream()
                .skip(at + 1L)
                .filter(span -> !span.isEmpty())
                .map(span -> span.key(span.firstSeq()))
                .findFirst();
    }

    /** The keys of all rows below this one. */
    Iterator<LogKey> below(LogKey key) {
        return all.stream()
                .filter(span -> span.epoch() <= key.epoch())
                .flatMap(span -> LongStream.rangeClosed(
                                span.firstSeq(), span.epoch() == key.epoch() ? key.seq() - 1 : span.lastSeq())
                        .mapToObj(span::key))
                .iterator();
    }
}
