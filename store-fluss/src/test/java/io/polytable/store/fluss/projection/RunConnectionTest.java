package io.polytable.store.fluss.projection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RunConnectionTest {
    private final AtomicInteger opened = new AtomicInteger();
    private final List<Integer> closed = new ArrayList<>();
    private final RunConnection<Integer> connection =
            new RunConnection<>(opened::incrementAndGet, closed::add, Duration.ofMillis(1));

    @Test
    void isReplacedAfterSeveralRunsWithoutProgress() throws InterruptedException {
        for (int run = 1; run < RunConnection.FRUITLESS_MAX; run++) {
            assertThat(connection.get()).isEqualTo(1);
            connection.failed(false);
        }
        assertThat(connection.get()).isEqualTo(1);
        connection.failed(false);
        assertThat(closed).containsExactly(1);
        assertThat(connection.get()).isEqualTo(2);
        connection.failed(false);
        assertThat(connection.get()).as("counted again").isEqualTo(2);
    }

    /** What a failed run left in flight must arrive before later writes. */
    @Test
    void staysTheSameWhileRunsGetAhead() throws InterruptedException {
        for (int run = 0; run < 10 * RunConnection.FRUITLESS_MAX; run++) {
            assertThat(connection.get()).isEqualTo(1);
            connection.failed(run % RunConnection.FRUITLESS_MAX == 0);
        }
        assertThat(closed).isEmpty();
        connection.close();
        connection.close();
        assertThat(closed).containsExactly(1);
    }
}
