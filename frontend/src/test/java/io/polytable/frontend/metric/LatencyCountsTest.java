package io.polytable.frontend.metric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencyCountsTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "-5, 0", "1, 0", "1000, 0", "1001, 1", "2000, 1", "2001, 2", "4000, 2", "4001, 3"})
    void countsInTheFirstBucketThatFits(long nanos, int bucket) {
        LatencyCounts counts = new LatencyCounts();
        counts.record(nanos);
        LatencyCounts.Reading reading = counts.read();
        assertThat(reading.counts().get(bucket)).isEqualTo(1);
        assertThat(reading.total()).isEqualTo(1);
    }

    @Test
    void whatTakesForEverIsInTheLastBucket() {
        LatencyCounts counts = new LatencyCounts();
        counts.record(Long.MAX_VALUE / 4);
        LatencyCounts.Reading reading = counts.read();
        int last = reading.counts().size() - 1;
        assertThat(reading.counts().get(last)).isEqualTo(1);
        assertThat(reading.boundsSeconds().get(last)).isInfinite();
    }

    @Test
    void sumsSeconds() {
        LatencyCounts counts = new LatencyCounts();
        counts.record(1_500_000_000);
        counts.record(500_000_000);
        assertThat(counts.read().sumSeconds()).isEqualTo(2.0);
    }
}
