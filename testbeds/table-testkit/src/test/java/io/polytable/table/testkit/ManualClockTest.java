package io.polytable.table.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class ManualClockTest {
    @Test
    void timeStandsStillUntilItIsMoved() {
        ManualClock clock = new ManualClock();
        Clock elsewhere = clock.withZone(ZoneId.of("Asia/Tokyo"));
        assertThat(clock.instant()).isEqualTo(ManualClock.START);
        clock.advance(Duration.ofSeconds(2));
        clock.advanceMillis(-500);
        assertThat(elsewhere.instant()).isEqualTo(ManualClock.START.plusMillis(1500));
        clock.set(ManualClock.START);
        assertThat(elsewhere.millis()).isEqualTo(ManualClock.START.toEpochMilli());
    }
}
