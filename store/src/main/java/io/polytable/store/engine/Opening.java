package io.polytable.store.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Opens resources on top of others, and closes several. */
public final class Opening {
    private Opening() {}

    /** Opens one resource on top of another, and closes the other if that fails. */
    public static <T> T orClose(Runnable closing, Supplier<T> opening) {
        try {
            return opening.get();
        } catch (RuntimeException | Error failure) {
            try {
                closing.run();
            } catch (RuntimeException | Error another) {
                failure.addSuppressed(another);
            }
            throw failure;
        }
    }

    /** Closes all of them, each even if another fails, and throws the first failure. */
    public static void closeAll(Stream<Runnable> closings) {
        List<Throwable> failures = new ArrayList<>();
        closings.forEach(closing -> {
            try {
                closing.run();
            } catch (RuntimeException | Error failure) {
                failures.add(failure);
            }
        });
        if (failures.isEmpty()) {
            return;
        }
        Throwable first = failures.get(0);
        failures.subList(1, failures.size()).forEach(first::addSuppressed);
        if (first instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) first;
    }
}
