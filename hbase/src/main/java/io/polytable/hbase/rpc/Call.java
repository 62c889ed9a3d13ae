package io.polytable.hbase.rpc;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.CellScanner;

/**
 * One call beside its request.
 *
 * @param cells the cells of all mutations of the request, in their order; empty when they are in the request itself
 * @param timeoutMillis how long the client waits, 0 when it did not say
 * @param workers for what turns out to take long
 */
public record Call(Client client, CellScanner cells, int timeoutMillis, Executor workers) {
    /** What may fail in many ways, as a future that fails with it. */
    @FunctionalInterface
    public interface Work<T> {
        CompletableFuture<T> start() throws IOException;
    }

    /** Goes on with the call on a thread that others do not wait for. */
    public <T> CompletableFuture<T> later(Work<T> work) throws IOException {
        CompletableFuture<T> end = new CompletableFuture<>();
        try {
            workers.execute(() -> {
                try {
                    forward(work.start(), end);
                } catch (IOException | RuntimeException | LinkageError | StackOverflowError failed) {
                    end.completeExceptionally(failed);
                }
            });
        } catch (RejectedExecutionException full) {
            throw new CallQueueTooBigException("Too many calls are waiting, try again later");
        }
        return end;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The other future is what is asked for.
    private static <T> void forward(CompletableFuture<T> from, CompletableFuture<T> to) {
        from.whenComplete((answer, failure) -> {
            if (failure == null) {
                to.complete(answer);
            } else {
                to.completeExceptionally(failure);
            }
        });
    }
}
