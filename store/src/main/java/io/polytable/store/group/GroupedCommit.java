package io.polytable.store.group;

import io.polytable.store.engine.Engine;
import io.polytable.table.Commit;
import io.polytable.table.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The last commit of every group at a moment: who saw one of them may have seen all. */
final class GroupedCommit implements Commit {
    private final Engine[] engines;
    private final long[] ends;

    GroupedCommit(Engine[] engines, long[] ends) {
        this.engines = engines;
        this.ends = ends;
    }

    @Override
    public boolean isDurable() {
        for (int group = 0; group < ends.length; group++) {
            if (!engines[group].isDurable(ends[group])) {
                return false;
            }
        }
        return true;
    }

    /** Fails with the first group that does. */
    @Override
    public CompletionStage<Void> durable() {
        CompletableFuture<Void> all = new CompletableFuture<>();
        AtomicInteger left = new AtomicInteger(1);
        for (int group = 0; group < ends.length; group++) {
            // Most groups have nothing new at most times.
            if (!engines[group].isDurable(ends[group])) {
                left.incrementAndGet();
                var unused = engines[group]
                        .whenDurable(ends[group])
                        .whenComplete((done, failure) -> count(all, left, failure));
            }
        }
        count(all, left, null);
        return all;
    }

    private static void count(CompletableFuture<Void> all, AtomicInteger left, @Nullable Throwable failure) {
        if (failure != null) {
            all.completeExceptionally(failure);
        } else if (left.decrementAndGet() == 0) {
            all.complete(null);
        }
    }

    @Override
    public Position position() {
        List<Position> parts = new ArrayList<>(ends.length);
        for (int group = 0; group < ends.length; group++) {
            parts.add(engines[group].positionOf(ends[group]));
        }
        return new PositionVector(parts).toPosition();
    }
}
