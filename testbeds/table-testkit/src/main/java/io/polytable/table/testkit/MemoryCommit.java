package io.polytable.table.testkit;

import io.polytable.table.Commit;
import io.polytable.table.Position;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A commit of a {@link MemoryStore}, durable at once since memory promises nothing beyond the process. */
record MemoryCommit(long number) implements Commit {
    @Override
    public boolean isDurable() {
        return true;
    }

    @Override
    public CompletionStage<Void> durable() {
        return CompletableFuture.completedStage(null);
    }

    @Override
    public Position position() {
        return MemoryLog.positionAfter(number);
    }
}
