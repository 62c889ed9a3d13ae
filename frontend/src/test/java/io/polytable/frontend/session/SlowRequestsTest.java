package io.polytable.frontend.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.session.SlowRequests.Slow;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SlowRequestsTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private final Sessions sessions = new Sessions(InstantSource.fixed(NOW));
    private final Session session =
            sessions.open("sql", "a:1", Principal.ROOT, Session.Client.NONE).orElseThrow();

    private void ran(long millis, String text) {
        session.ran("alice", TimeUnit.MILLISECONDS.toNanos(millis), () -> text);
    }

    @Test
    void keepsRequestsFromTheThresholdOn() {
        ran(1_000_000, "before there is a threshold");
        sessions.slow().threshold(Duration.ofMillis(20));
        ran(19, "SELECT 1");
        ran(20, "SELECT\n  2");
        sessions.slow().threshold(Duration.ZERO);
        ran(1_000_000, "SELECT 3");
        assertThat(sessions.slow().latest())
                .containsExactly(new Slow(NOW, "sql", "alice", "a:1", Duration.ofMillis(20), "SELECT\n  2"))
                .first()
                .hasToString("sql request of user alice from a:1 took 20 ms: SELECT 2");
    }

    @Test
    void keepsABoundedNumberOfBoundedTexts() {
        sessions.slow().threshold(Duration.ofMillis(1));
        for (int i = 0; i <= SlowRequests.KEPT_MAX; i++) {
            ran(5, i + "x".repeat(10_000));
        }
        assertThat(sessions.slow().latest())
                .hasSize(SlowRequests.KEPT_MAX)
                .allSatisfy(slow -> assertThat(slow.text()).hasSizeLessThan(600))
                .first()
                .satisfies(slow -> assertThat(slow.text()).startsWith("1x"));
    }
}
