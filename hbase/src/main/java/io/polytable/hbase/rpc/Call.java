package io.polytable.hbase.rpc;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.CellScanner;

/**
 * The context of a call, besides its request.
 *
 * @param cells the cells of all mutations of the request, in order; empty if the request contains them itself
 * @param timeoutMillis the client's timeout, 0 if unknown
 * @param workers runs work that turns out to take long
 */
public record Call(Client client, CellScanner cells, int timeoutMillis, Executor workers) {
    /** Asynchronous work that may also fail at its start. */
    @FunctionalInterface
    public interface Work<T> {
        CompletableFuture<T> start() throws IOException;
    }

    /** Continues the call on a worker, off the event loop. */
    public <T> CompletableFuture<T> later(Work<T> work) throws IOException {
        CompletableFuture<T> end = new CompletableFuture<>();
        try {
            workers.execute(() -> {
                try {
                    forward(work.start(), end);
                } catch (IOException | RuntimeException | Error failed) {
                    // Whatever it is: a call without an end would keep its memory and its place forever.
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
