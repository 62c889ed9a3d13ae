package io.polytable.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.StoreError;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is told of a failure, and that nobody waits for who is told. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LogProgressTest {
    private final LogProgress progress = new LogProgress(0, 0);

    /** What clients do in their futures may need the log in another thread. */
    @Test
    void aListenerMayWaitForAThreadThatUsesTheLog() {
        progress.listen(() -> CompletableFuture.runAsync(() -> progress.listen(() -> {}))
                .orTimeout(10, TimeUnit.SECONDS)
                .join());
        assertThat(progress.fail(new IOException("broken")).error()).isEqualTo(StoreError.FAILED);
    }

    @Test
    void onlyTheFirstFailureIsTold() {
        AtomicInteger told = new AtomicInteger();
        progress.listen(told::incrementAndGet);
        IOException first = new IOException("first");
        assertThat(progress.fail(first)).hasCause(first);
        assertThat(progress.fail(new IOException("second"))).hasCause(first);
        assertThat(told).hasValue(1);
    }
}
