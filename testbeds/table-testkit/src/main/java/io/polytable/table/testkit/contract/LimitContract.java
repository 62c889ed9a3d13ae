package io.polytable.table.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.Limits;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.testkit.Rows;
import io.polytable.table.write.Batch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Limits, and monotonic numbers. */
interface LimitContract extends StoreUnderTest {
    @Test
    default void aKeyOfTheLargestSizeIsKept() {
        RowKey key = new RowKey(Bytes.of(new byte[Limits.KEY_BYTES_MAX]), 1);
        commit(new Batch().put(table(), key, Rows.value("x")));
        betweenSteps();
        assertThat(store().read(table(), key)).contains(Rows.value("x"));
    }

    @Test
    default void aLargerKeyIsRefused() {
        RowKey key = new RowKey(Bytes.of(new byte[Limits.KEY_BYTES_MAX + 1]), 1);
        StoreUnderTest.assertFails(
                StoreError.TOO_LARGE, () -> store().commit(new Batch().put(table(), key, Rows.value("x"))));
        StoreUnderTest.assertFails(StoreError.TOO_LARGE, () -> store().commit(new Batch().delete(table(), key)));
        assertThat(Rows.all(store(), table())).isEmpty();
    }

    @Test
    default void aValueOfManyMegabytesIsKept() {
        byte[] value = new byte[20 << 20];
        value[value.length - 1] = 7;
        commit(new Batch().put(table(), Rows.key("a/1"), Bytes.of(value)));
        put("a/2", "behind it");
        betweenSteps();
        assertThat(store().read(table(), Rows.key("a/1")).orElseThrow().equals(Bytes.of(value)))
                .isTrue();
        assertRow("a/2", "behind it");
    }

    @Test
    default void ticketsGrowAlsoOverWhatHappensBetween() {
        long last = store().ticket();
        for (int i = 0; i < 5; i++) {
            long next = store().ticket();
            assertThat(next).isGreaterThan(last);
            // A ticket is never handed out again once a later write is durable.
            put("a/1", "with ticket " + next);
            betweenSteps();
            last = next;
        }
        assertThat(store().ticket()).isGreaterThan(last);
    }

    @Test
    default void ticketsOfManyThreadsAreDifferent() {
        long distinct = IntStream.range(0, 1000)
                .parallel()
                .mapToLong(call -> store().ticket())
                .distinct()
                .count();
        assertThat(distinct).isEqualTo(1000);
    }
}
