package io.polytable.store.fluss;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How far a reader of the log in Fluss reads ahead. */
class RowFetcherTest {
    /** A log of large values is nothing but rows of four megabytes: 48 of them are most of a small heap. */
    @ParameterizedTest
    @ValueSource(ints = {8, 16, 64, 4096})
    void whatIsAskedForAheadFitsIntoItsShare(int megabytes) {
        long bytes = (long) megabytes << 20;
        assertThat((long) RowFetcher.aheadMax(bytes) * RowPacker.PART_BYTES).isBetween(1L, bytes);
    }
}
