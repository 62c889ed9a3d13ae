package io.polytable.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BytesTest {
    private static Bytes bytes(int... values) {
        byte[] array = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            array[i] = (byte) values[i];
        }
        return Bytes.of(array);
    }

    @Test
    void orderIsUnsignedAndAPrefixComesFirst() {
        List<Bytes> ordered = List.of(
                Bytes.EMPTY, bytes(0), bytes(0, 0), bytes(1), bytes(0x7f), bytes(0x80), bytes(0xff), bytes(0xff, 0));
        for (int i = 0; i < ordered.size(); i++) {
            for (int j = 0; j < ordered.size(); j++) {
                assertThat(Integer.signum(ordered.get(i).compareTo(ordered.get(j))))
                        .isEqualTo(Integer.compare(i, j));
                assertThat(ordered.get(i).equals(ordered.get(j))).isEqualTo(i == j);
            }
        }
    }

    @Test
    void aSliceIsItsBytesWhereverTheyLie() {
        Bytes slice = Bytes.of(new byte[] {9, 1, 2, 3, 9}, 1, 3);
        assertThat(slice).isEqualTo(bytes(1, 2, 3)).hasSameHashCodeAs(bytes(1, 2, 3));
        assertThat(slice.slice(1, 3)).isEqualTo(bytes(2, 3));
        assertThat(slice.from(3)).isEqualTo(Bytes.EMPTY);
        assertThat(slice.at(2)).isEqualTo((byte) 3);
        assertThat(slice.startsWith(bytes(1, 2))).isTrue();
        assertThat(slice.startsWith(bytes(1, 2, 3, 9))).isFalse();
        assertThat(slice.concat(bytes(4))).isEqualTo(bytes(1, 2, 3, 4));
        assertThat(slice.copy().array()).hasSize(3);
    }

    @Test
    void aSliceOutsideOfItsArrayIsRefused() {
        byte[] array = new byte[4];
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> Bytes.of(array, 2, 3));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> Bytes.of(array, -1, 2));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> Bytes.of(array, 1, -1));
    }

    @Test
    void theSuccessorOfAPrefixFollowsAllThatStartsWithIt() {
        assertThat(bytes(1, 2).successorOfPrefix()).isEqualTo(bytes(1, 3));
        assertThat(bytes(1, 0xff, 0xff).successorOfPrefix()).isEqualTo(bytes(2));
        assertThat(bytes(0x7f).successorOfPrefix()).isEqualTo(bytes(0x80));
        assertThat(bytes(0xff, 0xff).successorOfPrefix()).isEqualTo(Bytes.EMPTY);
        assertThat(Bytes.EMPTY.successorOfPrefix()).isEqualTo(Bytes.EMPTY);
    }

    @Test
    void aRangeOfAPrefixHoldsExactlyWhatStartsWithIt() {
        Random random = new Random(3);
        for (int i = 0; i < 10_000; i++) {
            Bytes prefix = random(random);
            Bytes key = random.nextBoolean() ? prefix.concat(random(random)) : random(random);
            assertThat(KeyRange.prefix(prefix).contains(key))
                    .as("%s in %s", key, prefix)
                    .isEqualTo(key.startsWith(prefix));
        }
    }

    private static Bytes random(Random random) {
        byte[] array = new byte[random.nextInt(4)];
        for (int i = 0; i < array.length; i++) {
            array[i] = (byte) (random.nextInt(3) - 1);
        }
        return Bytes.of(array);
    }

    @Test
    void textShowsWhatIsPrintable() {
        assertThat(bytes('a', 0, '"', '\\', 0xff).toString()).isEqualTo("\"a\\x00\\x22\\x5c\\xff\"");
        assertThat(Bytes.utf8("gr\u00fc\u00df").utf8()).isEqualTo("gr\u00fc\u00df");
    }
}
