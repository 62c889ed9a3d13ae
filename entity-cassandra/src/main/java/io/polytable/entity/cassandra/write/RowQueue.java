package io.polytable.entity.cassandra.write;

import io.polytable.table.Bytes;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Serializes calls on the same row. */
final class RowQueue {
    private final Map<Bytes, CompletableFuture<?>> last = new ConcurrentHashMap<>();

    <T> CompletableFuture<T> after(Bytes rowKey, Supplier<CompletableFuture<T>> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        CompletableFuture<?> before = last.put(rowKey, result);
        Runnable start = () -> start(call, result);
        if (before == null) {
            start.run();
        } else {
            CompletableFuture<?> unused = before.whenComplete((value, failure) -> start.run());
        }
        return result.whenComplete((value, failure) -> last.remove(rowKey, result));
    }

    private static <T> void start(Supplier<CompletableFuture<T>> call, CompletableFuture<T> result) {
        try {
            CompletableFuture<T> unused = call.get().whenComplete((value, failure) -> {
                if (failure != null) {
                    result.completeExceptionally(failure);
                } else {
                    result.complete(value);
                }
            });
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
    }
}
