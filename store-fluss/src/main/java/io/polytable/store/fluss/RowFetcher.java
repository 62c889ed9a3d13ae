package io.polytable.store.fluss;

import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.store.fluss.ownership.LogRow;
import io.polytable.store.fluss.ownership.OwnershipFault;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;

/** Fetches the rows of the log in order, with read-ahead. */
final class RowFetcher {
    /** Batched lookups are many times faster than single ones. */
    private static final int AHEAD_MOST = 48;

    private static final int AHEAD_LEAST = 2;

    /** What the fewest rows may take; their sizes are unknown until they arrive. */
    static final long AHEAD_BYTES_MIN = (long) AHEAD_LEAST * RowPacker.PART_BYTES;

    private final Semaphore ahead;
    private final Function<LogKey, Supplier<Optional<LogRow>>> lookups;
    private final PositionIndex index;
    private final Deque<Asked> asked = new ArrayDeque<>();
    private LogKey last;
    private boolean begun;

    /** @param ahead whether it holds a read-ahead permit; the first row needs none */
    private record Asked(LogKey key, Supplier<Optional<LogRow>> answer, boolean ahead) {}

    private void release(Asked row) {
        if (row.ahead()) {
            ahead.release();
        }
    }

    /**
     * Starts at a row.
     *
     * @param ahead the rows that all readers together may fetch ahead
     * @param lookups starts the lookup of a row
     */
    RowFetcher(
            Semaphore ahead, Function<LogKey, Supplier<Optional<LogRow>>> lookups, PositionIndex index, LogKey first) {
        this.ahead = ahead;
        this.lookups = lookups;
        this.index = index;
        this.last = first;
    }

    /** The read-ahead limit in rows, as if all of them were parts of large batches. */
    static int aheadMax(long bytes) {
        return (int) Math.max(AHEAD_LEAST, Math.min(AHEAD_MOST, bytes / RowPacker.PART_BYTES));
    }

    /**
     * Whether the log continues after the last row. Not if that row was trimmed meanwhile, since rows may be missing.
     */
    boolean hasNext() {
        askAhead();
        return !asked.isEmpty();
    }

    /** The next row. If a lookup does not show it yet, waits for it. */
    LogRow next() {
        askAhead();
        Asked first = asked.pollFirst();
        if (first == null) {
            throw OwnershipFault.missing(last.next());
        }
        release(first);
        return first.answer().get().orElseGet(() -> index.rows().await(first.key()));
    }

    /** Abandons the rows fetched ahead. */
    void close() {
        asked.forEach(this::release);
        asked.clear();
    }

    private void askAhead() {
        Optional<LogKey> next = following();
        while (next.isPresent() && (asked.isEmpty() || ahead.tryAcquire())) {
            asked.addLast(ask(next.get(), !asked.isEmpty()));
            last = next.get();
            begun = true;
            next = following();
        }
    }

    private Asked ask(LogKey key, boolean permitted) {
        boolean isAsked = false;
        try {
            Asked answer = new Asked(key, lookups.apply(key), permitted);
            isAsked = true;
            return answer;
        } finally {
            if (!isAsked && permitted) {
                ahead.release();
            }
        }
    }

    private Optional<LogKey> following() {
        if (!begun) {
            return Optional.of(last);
        }
        return index.after(last);
    }
}
