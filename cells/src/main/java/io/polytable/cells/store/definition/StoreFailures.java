package io.polytable.cells.store.definition;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.table.StoreException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Translates exceptions of the table store into {@link CellException}s. */
public final class StoreFailures {
    private StoreFailures() {}

    public static <T> T translated(Supplier<T> action) {
        try {
            return action.get();
        } catch (StoreException e) {
            throw of(e);
        }
    }

    /** The same future, whose failures are translated. */
    public static <T> CompletableFuture<T> translated(CompletableFuture<T> result) {
        boolean succeeded = result.isDone() && !result.isCompletedExceptionally();
        return succeeded
                ? result
                : result.handle((value, failure) -> {
                    if (failure != null) {
                        throw ofAny(failure);
                    }
                    return value;
                });
    }

    public static void run(Runnable action) {
        try {
            action.run();
        } catch (StoreException e) {
            throw of(e);
        }
    }

    public static CellException of(StoreException failure) {
        return new CellException(codeOf(failure), "The store beneath refused or failed", Map.of(), failure);
    }

    public static RuntimeException ofAny(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof StoreException store) {
            return of(store);
        }
        return cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
    }

    private static CellError codeOf(StoreException failure) {
        return switch (failure.error()) {
            case NO_SUCH_TABLE -> CellError.NO_SUCH_TABLE;
            case TOO_LARGE -> CellError.TOO_LARGE;
            case TOO_MANY -> CellError.TOO_MANY;
            case NO_ROOM -> CellError.BUSY;
            case CORRUPT -> CellError.CORRUPT;
            case CLOSED -> CellError.CLOSED;
            default -> CellError.STORE_FAILED;
        };
    }
}
