package io.polytable.store.group;

import io.polytable.table.Commit;
import io.polytable.table.Position;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The last commit of every group at a moment: who saw one of them may have seen all. */
final class GroupedCommit implements Commit {
    private final Commit[] commits;

    /** @param commits one of each group */
    GroupedCommit(Commit[] commits) {
        this.commits = commits;
    }

    @Override
    public boolean isDurable() {
        for (Commit commit : commits) {
            if (!commit.isDurable()) {
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
        for (Commit commit : commits) {
            // Most groups have nothing new at most times.
            if (!commit.isDurable()) {
                left.incrementAndGet();
                var unused = commit.durable().whenComplete((done, failure) -> count(all, left, failure));
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
        return new PositionVector(Arrays.stream(commits).map(Commit::position).toList()).toPosition();
    }
}
