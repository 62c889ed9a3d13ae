package io.polytable.store.fluss;

import io.polytable.store.fluss.ownership.FencedWriter;
import io.polytable.store.fluss.ownership.Floor;
import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.store.fluss.ownership.LogRow;
import io.polytable.store.fluss.ownership.RowSpan;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Trims the log: removes the rows below a floor, some at a time. The floor is written first, so that the next owner
 * does not expect rows that are about to be removed. Rows are removed oldest first, so that the next owner can find
 * what a killed one left ({@link io.polytable.store.fluss.ownership.UnremovedRows}); it removes that before anything
 * else. Any thread requests a trim, the sender's thread executes it.
 */
final class LogTrimmer {
    private static final int REMOVALS_AT_ONCE = 256;

    private final PositionIndex index;
    private final FencedWriter writer;
    private final Queue<Trim> waiting = new ConcurrentLinkedQueue<>();

    /** @param floor empty for rows below a floor that is already written */
    private record Trim(Optional<Floor> floor, Iterator<LogKey> keys, CompletableFuture<Void> announced) {}

    LogTrimmer(PositionIndex index, FencedWriter writer) {
        this.index = index;
        this.writer = writer;
    }

    /** Requests a trim; the result completes when the floor is written. */
    CompletableFuture<Void> trim(Floor floor) {
        Trim trim = new Trim(Optional.of(floor), index.below(floor.key()), new CompletableFuture<>());
        waiting.add(trim);
        return trim.announced();
    }

    /** Requests removal of rows that a former owner trimmed; call it before the first trim. */
    void finish(Iterator<LogKey> left) {
        if (left.hasNext()) {
            waiting.add(new Trim(Optional.empty(), left, CompletableFuture.completedFuture(null)));
        }
    }

    boolean isIdle() {
        return waiting.isEmpty();
    }

    /** Executes one step, if any is pending. */
    void step() {
        Trim trim = waiting.peek();
        if (trim == null) {
            return;
        }
        if (trim.announced().isDone()) {
            removeSome(trim);
        } else {
            trim.floor().ifPresent(this::announce);
            trim.announced().complete(null);
        }
    }

    private void announce(Floor floor) {
        RowSpan own = index.own();
        LogKey key = LogKey.floor(own.epoch(), own.owner());
        writer.write(List.of(LogRow.control(key, writer.expected(), floor.encode())));
        index.raise(floor);
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
