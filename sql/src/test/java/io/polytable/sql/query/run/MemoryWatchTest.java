package io.polytable.sql.query.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.sql.query.Cancellation;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryWatchTest {
    private final AtomicLong resident = new AtomicLong(1_000);
    private final MemoryWatch watch = new MemoryWatch(100, resident::get);
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    @Test
    void queriesStopWhenTheProcessGrowsWhileTheyRun() {
        Cancellation first = begun();
        Cancellation second = begun();
        resident.set(1_100);
        watch.look();
        assertThat(first.stopped()).isEmpty();
        resident.set(1_101);
        watch.look();
        assertThat(watch.isExceeded()).isTrue();
        assertThat(first.stopped().map(SqlError::code)).contains(SqlCode.OUT_OF_MEMORY);
        assertThat(second.stopped().map(SqlError::code)).contains(SqlCode.OUT_OF_MEMORY);
    }

    @Test
    void theNextQueryStartsFromTheSizeThatTheProcessHasThen() {
        Cancellation large = begun();
        resident.set(2_000);
        watch.look();
        watch.end(large);
        assertThat(watch.isExceeded()).isFalse();
        Cancellation next = begun();
        resident.set(2_100);
        watch.look();
        assertThat(next.stopped()).isEmpty();
    }

    @Test
    void theSizeOfThisProcessIsKnown() {
        assertThat(MemoryWatch.residentBytes()).isPositive();
    }

    private Cancellation begun() {
        Cancellation query = new Cancellation(Duration.ofMinutes(1));
        watch.begin(query, timer);
        return query;
    }
}
