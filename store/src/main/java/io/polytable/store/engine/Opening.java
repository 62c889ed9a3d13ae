package io.polytable.store.engine;

import java.util.function.Supplier;

/** Opens resources on top of others. */
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
}
