package io.polytable.frontend.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.StoreError;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FailureLogTest {
    private final FailureLog log = new FailureLog();

    @Test
    void oneLinePerSecondForEachKindOfFailure() {
        long start = Long.MAX_VALUE - 10;
        assertThat(log.isDue(StoreError.NO_ROOM, start)).isTrue();
        assertThat(log.isDue(StoreError.NO_ROOM, start + 1)).isFalse();
        assertThat(log.isDue(StoreError.CORRUPT, start + 2)).isTrue();
        long second = TimeUnit.SECONDS.toNanos(1);
        assertThat(log.isDue(StoreError.NO_ROOM, start + second - 1)).isFalse();
        assertThat(log.isDue(StoreError.NO_ROOM, start + second)).isTrue();
        assertThat(log.isDue(StoreError.NO_ROOM, start + second + 1)).isFalse();
    }
}
