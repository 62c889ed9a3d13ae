package io.polytable.redis.model.number;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.model.GoldenLines;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LongDoubleTest {
    @Test
    void readsAndWritesAsIncrByFloatDoes() {
        for (List<String> line : GoldenLines.of("float-texts.txt")) {
            Optional<LongDouble> read = LongDouble.parse(GoldenLines.bytes(line.get(0)));
            String answer = read.map(LongDoubleTest::text).orElse("-");
            assertThat(answer).as(line.get(0)).isEqualTo(line.get(2));
        }
    }

    @Test
    void addsAsIncrByFloatDoes() {
        for (List<String> line : GoldenLines.of("float-sums.txt")) {
            LongDouble left = LongDouble.parse(Bytes.utf8(line.get(0))).orElseThrow();
            LongDouble right = LongDouble.parse(Bytes.utf8(line.get(1))).orElseThrow();
            assertThat(text(left.plus(right)))
                    .as("%s + %s", line.get(0), line.get(1))
                    .isEqualTo(line.get(2));
        }
    }

    private static String text(LongDouble value) {
        return value.isFinite() ? GoldenLines.shortened(value.format()) : "inf";
    }
}
