package io.polytable.store.fluss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.store.fluss.ownership.Chain;
import io.polytable.store.fluss.ownership.Floor;
import io.polytable.store.fluss.ownership.LogRow;
import io.polytable.store.fluss.ownership.RowSpan;
import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where positions are, while the log is trimmed by another thread. */
class PositionIndexTest {
    private static final int ROWS = 200;
    private static final int RECORDS_A_ROW = 10;

    /** An owner's rows of ten records each. */
    private static final RowSpan FORMER = new RowSpan(1, 7, 1, ROWS, 1, ROWS * RECORDS_A_ROW, 0, ROWS, 0);

    private static final RowSpan OWN =
            new RowSpan(2, 8, 1, 0, ROWS * RECORDS_A_ROW + 1, ROWS * RECORDS_A_ROW, ROWS, ROWS, 0);

    private final RowsInMemory table = new RowsInMemory();
    private final PositionIndex index = new PositionIndex(
            table,
            new Chain(1, Chain.Start.NOTHING, 0, List.of(FORMER)),
            OWN,
            RowsInMemory.environment(),
            Duration.ofSeconds(10));

    PositionIndexTest() {
        for (int seq = 1; seq <= ROWS; seq++) {
            int first = (seq - 1) * RECORDS_A_ROW + 1;
            LogRow row = new LogRow(FORMER.key(seq), seq, first, first + RECORDS_A_ROW - 1, 0, seq - 1, 0, new byte[1]);
            table.write(List.of(row));
        }
    }

    /** As the sender does it: the floor first, then the rows below it go. */
    private void trimBelow(int seq) {
        index.raise(Floor.at(table.read(FORMER.key(seq)).orElseThrow(), 5));
        for (int i = 1; i < seq; i++) {
            table.remove(List.of(FORMER.key(i)));
        }
    }

    private static int positionIn(int seq) {
        return (seq - 1) * RECORDS_A_ROW + 3;
    }

    @Test
    void findsTheRowOfAPosition() {
        for (int seq = 1; seq <= ROWS; seq++) {
            assertThat(index.find(positionIn(seq)).orElseThrow().key()).isEqualTo(FORMER.key(seq));
        }
        assertThat(index.find(ROWS * RECORDS_A_ROW + 1)).isEmpty();
    }

    @Test
    void aTrimMeanwhileIsNotTakenForDamage() {
        table.beforeRead(() -> trimBelow(150));
        assertThat(index.find(positionIn(160)).orElseThrow().key()).isEqualTo(FORMER.key(160));
    }

    @Test
    void aPositionThatIsGivenUpMeanwhileIsNotThere() {
        table.beforeRead(() -> trimBelow(150));
        assertThat(index.find(positionIn(20))).isEmpty();
    }

    @Test
    void aRowThatIsMissingForNoReasonIsDamage() {
        table.remove(List.of(FORMER.key(101)));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> index.find(positionIn(60)))
                .withMessageContaining("is missing");
    }

    /** A reader that was left behind must not continue behind what is missing: it would take that for damage. */
    @Test
    void behindARowThatWasGivenUpThereIsNone() {
        LogRow own =
                new LogRow(OWN.key(1), ROWS + 1, OWN.firstPosition(), OWN.firstPosition(), 0, ROWS, 0, new byte[1]);
        index.grow(own, own);
        assertThat(index.after(FORMER.key(20))).contains(FORMER.key(21));
        assertThat(index.after(FORMER.key(ROWS))).contains(OWN.key(1));
        assertThat(index.after(OWN.key(1))).isEmpty();
        trimBelow(150);
        assertThat(index.after(FORMER.key(20))).isEmpty();
        assertThat(index.after(FORMER.key(150))).contains(FORMER.key(151));
    }
}
