package io.polytable.redis.model.bitmap;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.model.bitmap.BitField.Overflow;
import java.math.BigInteger;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BitFieldTest {
    @Test
    void holdsWhatWasSet() {
        Random random = new Random(3);
        for (int i = 0; i < 10_000; i++) {
            BitField field = new BitField(random.nextBoolean(), 1 + random.nextInt(63));
            long value = field.sum(random.nextLong(), 0, Overflow.WRAP).orElseThrow();
            byte[] string = new byte[20];
            random.nextBytes(string);
            int offset = random.nextInt(90);
            field.set(string, offset, value);
            assertThat(field.get(string, offset)).isEqualTo(value);
        }
    }

    @Test
    void sumsThatDoNotFitWrapSaturateOrFail() {
        Random random = new Random(4);
        for (int i = 0; i < 20_000; i++) {
            BitField field = new BitField(random.nextBoolean(), 1 + random.nextInt(63));
            long value = field.sum(random.nextLong(), 0, Overflow.WRAP).orElseThrow();
            long increment = random.nextBoolean() ? random.nextLong() : random.nextInt(200) - 100;
            BigInteger exact = BigInteger.valueOf(value).add(BigInteger.valueOf(increment));
            BigInteger modulus = BigInteger.ONE.shiftLeft(field.bits());
            BigInteger min = field.signed() ? modulus.shiftRight(1).negate() : BigInteger.ZERO;
            BigInteger max = min.add(modulus).subtract(BigInteger.ONE);
            boolean fits = exact.compareTo(min) >= 0 && exact.compareTo(max) <= 0;
            BigInteger wrapped = exact.subtract(min).mod(modulus).add(min);
            assertThat(field.sum(value, increment, Overflow.WRAP)).hasValue(wrapped.longValueExact());
            assertThat(field.sum(value, increment, Overflow.SATURATE))
                    .hasValue(exact.max(min).min(max).longValueExact());
            assertThat(field.sum(value, increment, Overflow.FAIL))
                    .isEqualTo(fits ? OptionalLong.of(exact.longValueExact()) : OptionalLong.empty());
        }
    }
}
