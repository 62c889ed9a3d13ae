package io.polytable.entity.embedded;

import io.polytable.cells.CellException;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.table.StoreException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Maps failures of the cell store to errors of the entity library. */
final class Failures {
    private Failures() {}

    static <T> T translated(Supplier<T> call) {
        try {
            return call.get();
        } catch (CellException | StoreException e) {
            throw of(e);
        }
    }

    static <T> CompletableFuture<T> translatedAsync(Supplier<CompletableFuture<T>> call) {
        CompletableFuture<T> future;
        try {
            future = call.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(of(e));
        }
        if (future.isDone() && !future.isCompletedExceptionally()) {
            return future;
        }
        return future.handle((value, failure) -> {
            if (failure != null) {
                throw of(failure);
            }
            return value;
        });
    }

    static RuntimeException of(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof CellException cell) {
            return new EntityException(errorOf(cell), "The cell store refused or failed", Map.of(), cell);
        }
        if (cause instanceof StoreException store) {
            boolean unreachable = store.error() == io.polytable.table.StoreError.IN_USE;
            EntityError error = unreachable ? EntityError.UNREACHABLE : EntityError.STORE_FAILED;
            return new EntityException(error, "The embedded store cannot be used", Map.of(), store);
        }
        return cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
    }

    private static EntityError errorOf(CellException failure) {
        return switch (failure.error()) {
            case NO_SUCH_TABLE -> EntityError.NO_SUCH_TABLE;
            case NO_SUCH_FAMILY -> EntityError.STALE_LAYOUT;
            case BAD_SPEC -> EntityError.BAD_LAYOUT;
            case BAD_REQUEST -> EntityError.BAD_REQUEST;
            case TOO_LARGE -> EntityError.TOO_LARGE;
            case NOT_A_COUNTER -> EntityError.BAD_VALUE;
            case RETIRED_LAYOUT -> EntityError.NOT_CAPABLE;
            case CLOSED -> EntityError.CLOSED;
            default -> EntityError.STORE_FAILED;
        };
    }
}
