package io.polytable.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Range tombstones beside a plain list of them. */
class RangeTombstonesTest {
    private static final int KEYS = 256;

    private static Bytes key(int number) {
        return Bytes.of(new byte[] {(byte) (number >> 8), (byte) number});
    }

    private static RangeTombstone random(Random random, int address) {
        int from = random.nextInt(KEYS);
        boolean toTheEnd = random.nextInt(20) == 0;
        Bytes to = toTheEnd ? Bytes.EMPTY : key(from + 1 + random.nextInt(8));
        return new RangeTombstone(1, key(from), to, address, address, address / 10);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void hideWhatAListOfThemHides(long seed) {
        Random random = new Random(seed);
        List<RangeTombstone> oracle = new ArrayList<>();
        RangeTombstones tombstones = RangeTombstones.NONE;
        for (int address = 1; address < 300; address++) {
            RangeTombstone added = random(random, address);
            oracle.add(added);
            tombstones = tombstones.plus(added);
            if (address % 50 == 0) {
                long applied = random.nextInt(address / 10 + 1);
                oracle.removeIf(tombstone -> tombstone.generation() <= applied);
                tombstones = tombstones.without(tombstone -> tombstone.generation() <= applied);
            }
            for (int i = 0; i < 20; i++) {
                Bytes key = key(random.nextInt(KEYS));
                int row = random.nextInt(address + 1);
                assertThat(tombstones.hides(key, row))
                        .as("seed %d, key %s, row %d after %d", seed, key, row, address)
                        .isEqualTo(oracle.stream().anyMatch(one -> one.covers(key) && one.address() > row));
                assertThat(tombstones.hidesState(key, row / 10))
                        .isEqualTo(oracle.stream().anyMatch(one -> one.covers(key) && one.generation() > row / 10));
                assertThat(tombstones.mayHideState(row / 10))
                        .isEqualTo(oracle.stream().anyMatch(one -> one.generation() > row / 10));
            }
        }
    }

    /** With a sorted copy for each, as it was, this took minutes: writers waited for it under the append mutex. */
    @Tag("crash")
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void aHundredThousandBetweenTwoGenerations() {
        manyBetweenTwoGenerations(100_000);
    }

    @Test
    void manyBetweenTwoGenerations() {
        manyBetweenTwoGenerations(5_000);
    }

    private static void manyBetweenTwoGenerations(int count) {
        RangeTombstones tombstones = RangeTombstones.NONE;
        for (int i = 0; i < count; i++) {
            Bytes from = Bytes.of(new byte[] {(byte) (i >> 16), (byte) (i >> 8), (byte) i});
            Bytes to = Bytes.of(new byte[] {(byte) (i >> 16), (byte) (i >> 8), (byte) i, 0});
            tombstones = tombstones.plus(new RangeTombstone(1, from, to, i + 1, i + 1, 1));
        }
        assertThat(tombstones.size()).isEqualTo(count);
        assertThat(tombstones.hides(wide(count / 2), 5)).isTrue();
        assertThat(tombstones.hides(wide(count), 5)).isFalse();
    }

    private static Bytes wide(int number) {
        return Bytes.of(new byte[] {(byte) (number >> 16), (byte) (number >> 8), (byte) number});
    }

    private static RangeTombstone wideRange(int from, int to, int address) {
        return new RangeTombstone(1, wide(from), wide(to), address, address, 1);
    }

    /** With a walk back from the key to the first range that could reach it, as it was, each look-up met all of them. */
    @Tag("crash")
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void aRangeAroundAllOthersDoesNotSlowDownEachLookUp() {
        aRangeAroundOthers(100_000);
    }

    @Test
    void aRangeAroundOthersHidesNothingNewer() {
        aRangeAroundOthers(5_000);
    }

    private static void aRangeAroundOthers(int count) {
        RangeTombstones tombstones = RangeTombstones.NONE.plus(wideRange(0, 2 * count, 1));
        for (int i = 0; i < count; i++) {
            tombstones = tombstones.plus(wideRange(2 * i, 2 * i + 1, i + 2));
        }
        int wrong = 0;
        for (int i = 0; i < count; i++) {
            wrong += tombstones.hides(wide(2 * i + 1), 1) ? 1 : 0;
            wrong += tombstones.hides(wide(2 * i), i + 1) ? 0 : 1;
        }
        assertThat(wrong).isZero();
    }

    /** A table that is emptied again and again. */
    @Test
    void ofOneRangeTheNewestAloneIsKept() {
        RangeTombstones tombstones = RangeTombstones.NONE;
        for (int i = 1; i <= 10_000; i++) {
            tombstones = tombstones.plus(wideRange(0, 100 + i, i));
        }
        assertThat(tombstones.size()).isEqualTo(1);
        assertThat(tombstones.hides(wide(50), 9_999)).isTrue();
        assertThat(tombstones.hides(wide(50), 10_000)).isFalse();
    }

    @Test
    void aRangeWithoutKeysIsNone() {
        RangeTombstones tombstones =
                RangeTombstones.NONE.plus(wideRange(5, 5, 1)).plus(wideRange(7, 6, 2));
        assertThat(tombstones.isEmpty()).isTrue();
        assertThat(tombstones.hidesState(wide(5), 0)).isFalse();
    }
}
