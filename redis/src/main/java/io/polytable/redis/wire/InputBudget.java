package io.polytable.redis.wire;

import io.polytable.redis.command.config.Settings;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that all connections together hold of requests not yet complete or not yet run. Each client has its own
 * limit; this one is for many clients, none of which holds much.
 */
final class InputBudget {
    private final Settings settings;
    private final AtomicLong heldBytes = new AtomicLong();

    InputBudget(Settings settings) {
        this.settings = settings;
    }

    /** Someone holds so much more, or less; false when that is more than there may be. */
    boolean change(long bytes) {
        return heldBytes.addAndGet(bytes) <= settings.inputBytesMax() || bytes <= 0;
    }

    long heldBytes() {
        return heldBytes.get();
    }
}
