package io.polytable.table.testkit;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Fails when two threads are inside at once; sequential use by several threads is fine. */
final class SingleThreadGuard {
    private final String what;
    private final AtomicReference<@Nullable Thread> inside = new AtomicReference<>();

    SingleThreadGuard(String what) {
        this.what = what;
    }

    <T> T call(Supplier<T> action) {
        Thread other = inside.getAndSet(Thread.currentThread());
        if (other != null) {
            throw new AssertionError("A " + what + " is used by two threads at once: " + other.getName() + " and "
                    + Thread.currentThread().getName());
        }
        try {
            return action.get();
        } finally {
            inside.set(null);
        }
    }
}
