package io.polytable.table.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class BytesReaderTest {
    private static final byte CONTINUED = (byte) 0xff;

    @Test
    void readsNumbersOfEveryLengthOneBehindTheOther() {
        BytesWriter writer = new BytesWriter(8);
        for (int shift = 0; shift < 64; shift++) {
            writer.varint((1L << shift) - 1).varint(1L << shift);
        }
        writer.varint(-1);
        BytesReader reader = new BytesReader(writer.toBytes());
        for (int shift = 0; shift < 64; shift++) {
            assertThat(reader.varint()).isEqualTo((1L << shift) - 1);
            assertThat(reader.varint()).isEqualTo(1L << shift);
        }
        assertThat(reader.varint()).isEqualTo(-1);
        reader.end();
    }

    @Test
    void aNumberThatEndsTooEarlyDoesNotGoOnInWhatFollows() {
        byte[] number = new BytesWriter().varint(-1).toBytes().toByteArray();
        byte[] followed = Arrays.copyOf(number, number.length + 8);
        for (int length = 0; length < number.length; length++) {
            BytesReader reader = new BytesReader(Bytes.of(followed, 0, length));
            assertCorrupt(reader::varint);
        }
    }

    @Test
    void aNumberOfMoreThanSixtyFourBitsIsRefused() {
        byte[] bytes = new byte[20];
        Arrays.fill(bytes, CONTINUED);
        assertCorrupt(() -> new BytesReader(Bytes.of(bytes)).varint());
        // The tenth byte has space for one bit.
        bytes[9] = 2;
        assertCorrupt(() -> new BytesReader(Bytes.of(bytes)).varint());
        bytes[9] = 1;
        assertThat(new BytesReader(Bytes.of(bytes)).varint()).isEqualTo(-1);
    }

    private static void assertCorrupt(ThrowingCallable read) {
        assertThatThrownBy(read)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.error()).isEqualTo(StoreError.CORRUPT));
    }
}
