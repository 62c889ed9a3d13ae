package io.polytable.entity.remote;

import io.polytable.entity.store.RowChange;
import io.polytable.entity.store.WriteAnswer;
import io.polytable.entity.wire.ChangeCodec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Batches single writes. A write is sent at once while few calls are in flight, otherwise together with all others that
 * arrive until one of those completes. A lone writer never waits. Each write is added by its caller's thread, so the
 * program's own concurrency bounds the queue.
 */
final class WriteBatcher {
    private static final int CALLS_MAX = 4;

    private record Waiting(RowChange change, long bytes, CompletableFuture<WriteAnswer> answer) {}

    private final Function<List<RowChange>, CompletableFuture<List<ChangeCodec.Outcome>>> sender;
    private final long bytesMax;
    private final int changesMax;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private int calls;

    WriteBatcher(
            Function<List<RowChange>, CompletableFuture<List<ChangeCodec.Outcome>>> sender,
            long bytesMax,
            int changesMax) {
        this.sender = sender;
        this.bytesMax = bytesMax;
        this.changesMax = changesMax;
    }

    CompletableFuture<WriteAnswer> add(RowChange change) {
        Waiting added = new Waiting(change, ChangeCodec.size(change), new CompletableFuture<>());
        List<Waiting> batch;
        synchronized (this) {
            waiting.add(added);
            batch = calls < CALLS_MAX ? taken() : List.of();
        }
        send(batch);
        return added.answer();
    }

    /** The next batch, counted as a call; empty if nothing waits. */
    private List<Waiting> taken() {
        List<Waiting> batch = new ArrayList<>();
        long bytes = 0;
        while (!waiting.isEmpty()
                && batch.size() < changesMax
                && (batch.isEmpty() || bytes + waiting.element().bytes() <= bytesMax)) {
            bytes += waiting.element().bytes();
            batch.add(waiting.remove());
        }
        if (!batch.isEmpty()) {
            calls++;
        }
        return batch;
    }

    private void send(List<Waiting> batch) {
        if (batch.isEmpty()) {
            return;
        }
        CompletableFuture<List<ChangeCodec.Outcome>> call;
        try {
            call = sender.apply(batch.stream().map(Waiting::change).toList());
        } catch (RuntimeException e) {
            call = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<?> unused = call.whenComplete((outcomes, failure) -> {
            List<Waiting> next;
            synchronized (this) {
                calls--;
                next = taken();
            }
            // Waiting writes are sent first: a caller may take its time with its result.
            send(next);
            for (int i = 0; i < batch.size(); i++) {
                CompletableFuture<WriteAnswer> answer = batch.get(i).answer();
                if (failure != null) {
                    answer.completeExceptionally(
                            failure.getCause() != null && failure instanceof java.util.concurrent.CompletionException
                                    ? failure.getCause()
                                    : failure);
                } else if (outcomes.get(i) instanceof ChangeCodec.Outcome.Answered done) {
                    answer.complete(done.answer());
                } else if (outcomes.get(i) instanceof ChangeCodec.Outcome.Failed failed) {
                    answer.completeExceptionally(failed.failure());
                }
            }
        });
    }
}
