package io.polytable.store.fluss.ownership;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Finds the rows below a log's first one that a killed owner trimmed but did not remove. Rows are removed oldest first,
 * across owners, so the remaining ones reach up to the first row without a gap: if the row right below it is gone, all
 * are.
 */
public final class UnremovedRows {
    private final LogRows rows;

    private record Stretch(LogKey first, long lastSeq) {
        Iterator<LogKey> keys() {
            return LongStream.rangeClosed(first.seq(), lastSeq)
                    .mapToObj(seq -> new LogKey(first.epoch(), first.owner(), seq))
                    .iterator();
        }
    }

    private UnremovedRows(LogRows rows) {
        this.rows = rows;
    }

    /** Their keys, oldest first; found with a logarithmic number of reads per owner. */
    public static Iterator<LogKey> below(LogRows rows, LogKey first) {
        List<Stretch> stretches = new UnremovedRows(rows).find(first);
        return new Iterator<>() {
            private final Iterator<Stretch> coming = stretches.iterator();
            private Iterator<LogKey> keys = Collections.emptyIterator();

            @Override
            public boolean hasNext() {
                return keys.hasNext() || coming.hasNext();
            }

            @Override
            public LogKey next() {
                if (!keys.hasNext()) {
                    keys = coming.next().keys();
                }
                return keys.next();
            }
        };
    }

    private List<Stretch> find(LogKey first) {
        Deque<Stretch> found = new ArrayDeque<>();
        Optional<LogKey> end = Optional.of(first);
        while (end.isPresent()) {
            LogKey behind = end.get();
            long oldest = oldestBelow(behind);
            if (oldest < behind.seq()) {
                LogKey key = new LogKey(behind.epoch(), behind.owner(), oldest);
                found.addFirst(new Stretch(key, behind.seq() - 1));
            }
            end = oldest == 1 ? endOfFormer(behind) : Optional.empty();
        }
        return List.copyOf(found);
    }

    /** The number of the owner's oldest remaining row up to this one, which itself may be gone. */
    private long oldestBelow(LogKey behind) {
        long absent = 0;
        long present = behind.seq();
        // The newest first: it is removed last, and gone in most logs.
        for (long look = present - 1; look > absent; look = absent + (present - absent) / 2) {
            if (rows.read(new LogKey(behind.epoch(), behind.owner(), look)).isPresent()) {
                present = look;
            } else {
                absent = look;
            }
        }
        return present;
    }

    /** The key after the last row that this owner found when it began. */
    private Optional<LogKey> endOfFormer(LogKey key) {
        return rows.read(LogKey.confirmation(key.epoch(), key.owner()))
                .map(row -> Chain.decode(row.body()).spans())
                .filter(spans -> !spans.isEmpty())
                .map(spans -> spans.get(spans.size() - 1))
                .map(span -> span.key(span.lastSeq() + 1));
    }
}
