package io.polytable.redis.model.stream.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StreamIdTest {
    /** The right column is what a real Redis made of the left one. */
    @ParameterizedTest
    @CsvSource({
        "5-3, 5-3",
        "5, 5-7",
        "0, 0-7",
        "18446744073709551615-18446744073709551615, 18446744073709551615-18446744073709551615",
        "'+3-1', 3-1",
        "'03-01', 3-1",
        "' 3-1', 3-1",
        "'1- 2', 1-2",
        "'1- -5', 1-18446744073709551611",
        "'1--05', 1-18446744073709551611",
        "'1--0', 1-0"
    })
    void readsWhatRedisReads(String text, String id) {
        assertThat(StreamId.parse(Bytes.utf8(text), 7)).hasToString("Optional[" + id + "]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "+",
                "*",
                "$",
                "x",
                "5-",
                "-5",
                "5--1",
                "5-x",
                "3-1 ",
                "3 -1",
                "1-2-3",
                "1-*",
                "18446744073709551616-1",
                "1-18446744073709551616",
                " ",
                "1- "
            })
    void refusesWhatRedisRefuses(String text) {
        assertThat(StreamId.parse(Bytes.utf8(text), 0)).isEmpty();
    }

    @Test
    void readsUpToAZeroByteAndNoMoreThanRedisBuffer() {
        assertThat(StreamId.parse(Bytes.utf8("5\0x"), 0)).contains(new StreamId(5, 0));
        assertThat(StreamId.parse(Bytes.utf8("0".repeat(126) + "5"), 0)).contains(new StreamId(5, 0));
        assertThat(StreamId.parse(Bytes.utf8("0".repeat(127) + "5"), 0)).isEmpty();
    }

    @Test
    void isOrderedAsItsBytesAre() {
        Random random = new Random(3);
        List<StreamId> ids = Stream.concat(
                        Stream.of(StreamId.MIN, StreamId.MAX, new StreamId(1, -1), new StreamId(-1, 1)),
                        Stream.generate(() -> new StreamId(random.nextLong(), random.nextInt(3) - 1L))
                                .limit(50))
                .toList();
        for (StreamId one : ids) {
            assertThat(StreamId.at(one.bytes(), 0)).isEqualTo(one);
            for (StreamId other : ids) {
                assertThat(Integer.signum(one.compareTo(other)))
                        .isEqualTo(Integer.signum(one.bytes().compareTo(other.bytes())));
            }
        }
    }

    @Test
    void hasNeighboursButAtTheEnds() {
        assertThat(new StreamId(1, -1).next()).contains(new StreamId(2, 0));
        assertThat(new StreamId(2, 0).previous()).contains(new StreamId(1, -1));
        assertThat(new StreamId(2, 0).next()).contains(new StreamId(2, 1));
        assertThat(StreamId.MAX.next()).isEmpty();
        assertThat(StreamId.MIN.previous()).isEmpty();
    }
}
