package io.polytable.store.feed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How feeds divide their share of the heap. */
class FeedMemoryTest {
    private static final long TAIL_READER = 1;

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4, 5, 8, 9, 31, 32, 33, 1000, 5000})
    void allPartsTogetherFitIntoTheShare(long readersWorth) {
        long readerBytes = 1 << 20;
        long bytes = readersWorth * readerBytes + 5;
        FeedMemory memory = FeedMemory.of(bytes, readerBytes, 1);
        long all = memory.tailBytes()
                + memory.oldBytes()
                + memory.backlogBytes()
                + (memory.readersMax() + TAIL_READER) * readerBytes;
        assertThat(all).isBetween(1L, bytes);
        assertThat(memory.readersMax()).isBetween(1, 256);
    }

    /** An eighth of 256 megabytes, with the readers of a log in files and of one in Fluss. */
    @ParameterizedTest
    @ValueSource(longs = {256 << 10, 2 << 20})
    void aHundredPartitionsFitIntoTheShareOfASmallHeap(long readerBytes) {
        int partitions = 100;
        long share = (256L << 20) / 8;
        FeedMemory memory = FeedMemory.of(share / partitions, readerBytes, partitions);
        long all = partitions * (memory.tailBytes() + memory.oldBytes() + memory.backlogBytes())
                + (memory.readersMax() + TAIL_READER) * readerBytes;
        assertThat(all).isBetween(share / 2, share);
        assertThat(memory.tailBytes()).isPositive();
    }
}
