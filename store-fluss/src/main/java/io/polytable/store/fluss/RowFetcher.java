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

    /** The fraction of the heap for rows fetched ahead, whose sizes are unknown until they arrive. */
    private static final int HEAP_SHARE = 16;

    /** Shared by all readers: there may be many, and a fixed share for each would exceed the heap. */
    static final Semaphore AHEAD = new Semaphore(aheadMax(Runtime.getRuntime().maxMemory()));

    private final Function<LogKey, Supplier<Optional<LogRow>>> lookups;
    private final PositionIndex index;
    private final Deque<Asked> asked = new ArrayDeque<>();
    private LogKey last;
    private boolean begun;

    /** @param ahead whether it holds a read-ahead permit; the first row needs none */
    private record Asked(LogKey key, Supplier<Optional<LogRow>> answer, boolean ahead) {
        void release() {
            if (ahead) {
                AHEAD.release();
            }
        }
    }

    /**
     * Starts at a row.
     *
     * @param lookups starts the lookup of a row
     */
    RowFetcher(Function<LogKey, Supplier<Optional<LogRow>>> lookups, PositionIndex index, LogKey first) {
        this.lookups = lookups;
        this.index = index;
        this.last = first;
    }

    /** The read-ahead limit in rows, as if all of them were parts of large batches. */
    static int aheadMax(long heapBytes) {
        return (int) Math.max(AHEAD_LEAST, Math.min(AHEAD_MOST, heapBytes / HEAP_SHARE / RowPacker.PART_BYTES));
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
        first.release();
        return first.answer().get().orElseGet(() -> index.rows().await(first.key()));
    }

    /** Abandons the rows fetched ahead. */
    void close() {
        asked.forEach(Asked::release);
        asked.clear();
    }

    private void askAhead() {
        Optional<LogKey> next = following();
        while (next.isPresent() && (asked.isEmpty() || AHEAD.tryAcquire())) {
            asked.addLast(ask(next.get(), !asked.isEmpty()));
            last = next.get();
            begun = true;
            next = following();
        }
    }

    private Asked ask(LogKey key, boolean ahead) {
        boolean isAsked = false;
        try {
            Asked answer = new Asked(key, lookups.apply(key), ahead);
            isAsked = true;
            return answer;
        } finally {
            if (!isAsked && ahead) {
                AHEAD.release();
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
