package io.polytable.store.fluss;

import io.polytable.store.fluss.ownership.FencedWriter;
import io.polytable.store.fluss.ownership.Floor;
import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.store.fluss.ownership.LogRow;
import io.polytable.store.fluss.ownership.RowSpan;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Removes the rows below a floor, some at a time. The floor is written first: whoever takes the log over must not expect rows
 * that are about to go. Any thread asks, the sender does it.
 */
final class LogTrimmer {
    private static final int REMOVALS_AT_ONCE = 256;

    private final PositionIndex index;
    private final FencedWriter writer;
    private final Queue<Trim> waiting = new ConcurrentLinkedQueue<>();

    private record Trim(Floor floor, Iterator<LogKey> keys, CompletableFuture<Void> announced) {}

    LogTrimmer(PositionIndex index, FencedWriter writer) {
        this.index = index;
        this.writer = writer;
    }

    /** The answer completes when the floor is written. */
    CompletableFuture<Void> trim(Floor floor) {
        Trim trim = new Trim(floor, index.below(floor.key()), new CompletableFuture<>());
        waiting.add(trim);
        return trim.announced();
    }

    boolean isIdle() {
        return waiting.isEmpty();
    }

    /** Does one step, if there is anything to do. */
    void step() {
        Trim trim = waiting.peek();
        if (trim == null) {
            return;
        }
        if (trim.announced().isDone()) {
            removeSome(trim);
        } else {
            announce(trim);
        }
    }

    private void announce(Trim trim) {
        RowSpan own = index.own();
        LogKey key = LogKey.floor(own.epoch(), own.owner());
        writer.write(List.of(LogRow.control(key, writer.expected(), trim.floor().encode())));
        index.raise(trim.floor());
        trim.announced().complete(null);
    }

    private void removeSome(Trim trim) {
        List<LogKey> keys = new ArrayList<>();
        while (trim.keys().hasNext() && keys.size() < REMOVALS_AT_ONCE) {
            keys.add(trim.keys().next());
        }
        if (!keys.isEmpty()) {
            writer.remove(keys);
        }
        if (!trim.keys().hasNext()) {
            waiting.remove();
        }
    }

    void fail(Throwable reason) {
        waiting.forEach(trim -> trim.announced().completeExceptionally(reason));
    }
}
