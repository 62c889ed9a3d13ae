package io.polytable.hbase.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The results of all concurrent calls, and those read ahead, fit into their share of the heap. */
class ClientLimitsTest {
    private static final long MB = 1 << 20;

    @Test
    void allThreadsTogetherTakeTheirShareAtMost() {
        assertThat(ClientLimits.DEFAULT.within(24 * MB, 8).resultBytesMax()).isEqualTo(2 * MB);
        assertThat(ClientLimits.DEFAULT.within(68 * MB, 64).resultBytesMax()).isEqualTo(MB);
    }

    @Test
    void whatIsConfiguredIsNotPassed() {
        assertThat(ClientLimits.DEFAULT.within(8192 * MB, 8)).isEqualTo(ClientLimits.DEFAULT);
    }
}
