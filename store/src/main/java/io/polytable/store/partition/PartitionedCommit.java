package io.polytable.store.partition;

import io.polytable.table.Commit;
import io.polytable.table.Position;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The latest commit of every partition. A caller that saw one partition's commit may have seen the others', so it is durable
 * only when all of them are.
 */
final class PartitionedCommit implements Commit {
    private final Commit[] commits;

    /** @param commits one per partition */
    PartitionedCommit(Commit[] commits) {
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

    /** Fails as soon as one partition fails. */
    @Override
    public CompletionStage<Void> durable() {
        CompletableFuture<Void> all = new CompletableFuture<>();
        AtomicInteger left = new AtomicInteger(1);
        for (Commit commit : commits) {
            // Usually most partitions have nothing pending.
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
        return Position.joined(Arrays.stream(commits).map(Commit::position).toList());
    }
}
