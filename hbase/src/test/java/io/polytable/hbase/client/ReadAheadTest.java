package io.polytable.hbase.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.cells.CellRow;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.ResumePoint;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.StepLimit;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.junit.jupiter.api.Test;

/** Read-ahead is bounded, whatever clients request and rows contain. */
class ReadAheadTest {
    private static final Bytes NAME = Bytes.utf8("n");
    private static final int CELL_BYTES = 2 << 20;
    private static final int STEPS = 5;

    private final ReadAhead ahead = new ReadAhead((long) STEPS * CELL_BYTES);
    private final List<OpenScanner> scanners = new ArrayList<>();
    private int reads;

    private ScanStep large() {
        reads++;
        Cell cell = new Cell(NAME, NAME, NAME, 1, CellKind.PUT, Bytes.of(new byte[CELL_BYTES]));
        return new ScanStep(List.of(new CellRow(NAME, List.of(cell), false)), ScanStep.End.LIMIT);
    }

    @SuppressWarnings("NullAway") // Its region matters to calls.
    private void start(Supplier<ScanStep> step) {
        OpenScanner scanner = new OpenScanner(
                scanners.size(), null, ClientProtos.Scan.getDefaultInstance(), "tester", new CellScanner() {
                    @Override
                    public ScanStep next(StepLimit limit) {
                        return step.get();
                    }

                    @Override
                    public Optional<ResumePoint> position() {
                        return Optional.empty();
                    }

                    @Override
                    public void close() {
                        // Nothing is held.
                    }
                });
        scanners.add(scanner);
        ahead.start(scanner, StepLimit.of(100, 1), Runnable::run);
    }

    @Test
    void stepsCountForWhatTheyHold() {
        for (int i = 0; i < 50; i++) {
            start(this::large);
        }
        assertThat(reads).isBetween(1, STEPS + 1);
        int before = reads;
        scanners.forEach(OpenScanner::close);
        start(this::large);
        assertThat(reads).isEqualTo(before + 1);
    }

    @Test
    void whatFailsHoldsNothing() {
        for (int i = 0; i < 50; i++) {
            assertThatThrownBy(() -> start(() -> {
                        throw new StackOverflowError();
                    }))
                    .isInstanceOf(StackOverflowError.class);
            start(() -> {
                throw new IllegalStateException("no");
            });
        }
        start(this::large);
        assertThat(reads).isEqualTo(1);
    }
}
