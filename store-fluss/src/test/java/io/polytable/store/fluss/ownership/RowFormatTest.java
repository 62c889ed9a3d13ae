package io.polytable.store.fluss.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes that docs/formats/fluss-log.md describes. */
class RowFormatTest {
    private static final Chain CHAIN = new Chain(
            0x1122334455667788L,
            new Chain.Start(4, 5),
            6,
            List.of(
                    new RowSpan(1, 0x77, 3, 9, 10, 20, 100, 900, 33),
                    new RowSpan(4, 0x78, 1, 1, 21, 21, 900, 950, 34)));
    private static final String GOLDEN = "00000002" + "00000002" + "1122334455667788" + number(4) + number(5)
            + number(6) + number(1) + number(0x77) + number(3) + number(9) + number(10) + number(20) + number(100)
            + number(900)
            + number(33)
            + number(4) + number(0x78) + number(1) + number(1) + number(21) + number(21) + number(900) + number(950)
            + number(34);

    private static String number(long value) {
        return HexFormat.of().toHexDigits(value);
    }

    @Test
    void aChainHasItsBytes() {
        assertThat(HexFormat.of().formatHex(CHAIN.encode())).isEqualTo(GOLDEN);
        assertThat(Chain.decode(HexFormat.of().parseHex(GOLDEN))).isEqualTo(CHAIN);
    }

    @Test
    void aChainOfVersion1IsRead() {
        assertThat(Chain.decode(HexFormat.of().parseHex("00000001" + GOLDEN.substring(8))))
                .isEqualTo(CHAIN);
    }

    @Test
    void aNewerChainIsRefused() {
        byte[] newer = HexFormat.of().parseHex("00000003" + GOLDEN.substring(8));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Chain.decode(newer))
                .satisfies(e -> assertThat(e.error()).isEqualTo(StoreError.NEWER_FORMAT));
    }

    @Test
    void notesHaveTheirBytes() {
        LeaseRecord note = new LeaseRecord(3, 7, true, 10_000);
        assertThat(HexFormat.of().formatHex(note.encode()))
                .isEqualTo(number(3) + number(7) + number(1) + number(10_000));
        assertThat(LeaseRecord.decode(note.encode())).isEqualTo(note);
        Floor floor = new Floor(new LogKey(3, 7, 12), 40, 4000, 9);
        assertThat(HexFormat.of().formatHex(floor.encode()))
                .isEqualTo(number(3) + number(7) + number(12) + number(40) + number(4000) + number(9));
        assertThat(Floor.decode(floor.encode())).isEqualTo(floor);
    }
}
