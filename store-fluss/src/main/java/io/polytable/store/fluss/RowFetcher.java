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

/** The rows of the log one after the other, the next ones asked for while one is worked on. */
final class RowFetcher {
    /** Lookups are many times faster together than alone. */
    private static final int AHEAD_MOST = 48;

    private static final int AHEAD_LEAST = 2;

    /** Of the heap, for rows that were asked for: their sizes are not known before they come. */
    private static final int HEAP_SHARE = 16;

    /** All readers together: there may be many of them, and what each was promised would be more than the heap. */
    static final Semaphore AHEAD = new Semaphore(aheadMax(Runtime.getRuntime().maxMemory()));

    private final Function<LogKey, Supplier<Optional<LogRow>>> lookups;
    private final PositionIndex index;
    private final Deque<Asked> asked = new ArrayDeque<>();
    private LogKey last;
    private boolean begun;

    /** @param ahead whether it is one of those that are asked for ahead; the first needs no leave */
    private record Asked(LogKey key, Supplier<Optional<LogRow>> answer, boolean ahead) {
        void letGo() {
            if (ahead) {
                AHEAD.release();
            }
        }
    }

    /**
     * Begins with a row.
     *
     * @param lookups start to look a row up
     */
    RowFetcher(Function<LogKey, Supplier<Optional<LogRow>>> lookups, PositionIndex index, LogKey first) {
        this.lookups = lookups;
        this.index = index;
        this.last = first;
    }

    /** How many rows are asked for at a time, if all of them are parts of large batches. */
    static int aheadMax(long heapBytes) {
        return (int) Math.max(AHEAD_LEAST, Math.min(AHEAD_MOST, heapBytes / HEAP_SHARE / RowPacker.PART_BYTES));
    }

    /** Whether the log goes on behind the last row; not where that was given up meanwhile, for some may be missing then. */
    boolean hasNext() {
        askAhead();
        return !asked.isEmpty();
    }

    /** The next row, which the log holds. Where a lookup does not show it yet, the reader waits for it. */
    LogRow next() {
        askAhead();
        Asked first = asked.pollFirst();
        if (first == null) {
            throw OwnershipFault.missing(last.next());
        }
        first.letGo();
        return first.answer().get().orElseGet(() -> index.rows().await(first.key()));
    }

    /** Nobody wants the rows that were asked for. */
    void close() {
        asked.forEach(Asked::letGo);
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
