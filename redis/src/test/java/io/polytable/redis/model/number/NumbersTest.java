package io.polytable.redis.model.number;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.model.GoldenLines;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NumbersTest {
    @Test
    void readsWholeNumbersAsRedisDoes() {
        for (List<String> line : GoldenLines.of("longs.txt")) {
            OptionalLong read = Numbers.parseLong(GoldenLines.bytes(line.get(0)));
            String answer = read.isPresent() ? Long.toString(read.getAsLong()) : "-";
            assertThat(answer).as(line.get(0)).isEqualTo(line.get(1));
        }
    }

    @Test
    void writesWholeNumbersInTheSpellingItReads() {
        for (long value : new long[] {0, 1, 9, 10, 1023, 1024, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            Bytes text = Numbers.format(value);
            assertThat(text).isEqualTo(Bytes.utf8(Long.toString(value)));
            assertThat(Numbers.parseLong(text)).hasValue(value);
        }
    }

    @Test
    void readsDoublesAsRedisDoes() {
        for (List<String> line : GoldenLines.of("float-texts.txt")) {
            OptionalDouble read = Numbers.parseDouble(GoldenLines.bytes(line.get(0)));
            // A small sorted set of Redis has no negative zero; adding zero takes away ours.
            String answer = read.isPresent() ? DoubleText.seventeenDigits(read.getAsDouble() + 0.0) : "-";
            assertThat(answer).as(line.get(0)).isEqualTo(line.get(1));
        }
    }

    @Test
    void writesDoublesAsRedisDoes() {
        for (List<String> line : GoldenLines.of("doubles.txt")) {
            double value = Double.longBitsToDouble(Long.parseUnsignedLong(line.get(0), 16));
            assertThat(Numbers.format(value).utf8()).isEqualTo(line.get(1));
            assertThat(DoubleText.seventeenDigits(value)).isEqualTo(line.get(2));
        }
    }

    @Test
    void whatIsWrittenReadsBackAsTheSameDouble() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 50_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                assertThat(Numbers.parseDouble(Numbers.format(value))).hasValue(value);
            }
        }
    }
}
