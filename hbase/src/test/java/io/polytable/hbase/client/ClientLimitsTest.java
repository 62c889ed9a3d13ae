package io.polytable.hbase.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The results of all concurrent calls fit into the heap. */
class ClientLimitsTest {
    private static final long MB = 1 << 20;

    @Test
    void allThreadsTogetherTakeAQuarterOfTheHeapAtMost() {
        assertThat(ClientLimits.DEFAULT.within(256 * MB, 8).resultBytesMax()).isEqualTo(8 * MB);
        assertThat(ClientLimits.DEFAULT.within(4096 * MB, 64).resultBytesMax()).isEqualTo(16 * MB);
    }

    @Test
    void whatIsConfiguredIsNotPassed() {
        assertThat(ClientLimits.DEFAULT.within(8192 * MB, 8)).isEqualTo(ClientLimits.DEFAULT);
    }
}
