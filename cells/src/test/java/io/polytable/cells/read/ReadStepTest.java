package io.polytable.cells.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.Cell;
import io.polytable.cells.CellException;
import io.polytable.cells.CellKind;
import io.polytable.cells.CellLimits;
import io.polytable.cells.request.StepLimit;
import io.polytable.table.Bytes;
import org.junit.jupiter.api.Test;

/** The limits of what a read step collects. */
class ReadStepTest {
    /** What a cell with a content of 20 bytes was measured to take once it is read. */
    private static final int SMALL_CELL_BYTES = 200;

    private static final Cell SMALL = new Cell(
            Bytes.utf8("row1"), Bytes.utf8("f"), Bytes.utf8("q000001"), 5, CellKind.PUT, Bytes.utf8("12345678"));

    @Test
    void aRowOfSmallCellsIsBoundedByTheMemoryItTakes() {
        ReadStep step = new ReadStep(StepLimit.of(1, Long.MAX_VALUE), false, 0);
        long most = CellLimits.ROW_READ_BYTES_MAX / SMALL_CELL_BYTES;
        assertThatThrownBy(() -> {
                    for (long i = 0; i <= most; i++) {
                        step.add(SMALL);
                    }
                })
                .isInstanceOf(CellException.class)
                .hasMessageContaining("too large");
    }

    @Test
    void aStepOfSmallCellsEndsWhenItsMemoryIsUsed() {
        ReadStep step = new ReadStep(StepLimit.of(1000, 10 * SMALL_CELL_BYTES), true, 0);
        for (int i = 0; i < 10; i++) {
            assertThat(step.cutsRow()).as("after %d cells", i).isFalse();
            step.add(SMALL);
        }
        assertThat(step.cutsRow()).isTrue();
    }
}
