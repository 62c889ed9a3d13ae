package io.polytable.hbase.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.CellException;
import io.polytable.cells.CellRow;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.ResumePoint;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.StepLimit;
import io.polytable.hbase.catalog.Region;
import io.polytable.table.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.junit.jupiter.api.Test;

/** The leases of scanners. */
class ScannersTest {
    private static final int SCANNERS = 3;

    private final Scanners scanners = new Scanners(new ClientLimits(SCANNERS, Duration.ZERO, 1 << 20));
    private int closed;

    /** The timer that expires leases ends with the first exception, and every scanner's snapshot would stay. */
    @Test
    void aScannerThatFailsToCloseKeepsNoOtherOpen() throws Exception {
        Region region = view();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < SCANNERS; i++) {
                scanners.open(region, ClientProtos.Scan.getDefaultInstance(), "tester", FailingScanner::new);
            }
            scanners.closeExpired();
            assertThat(scanners.count()).isZero();
        }
        assertThat(closed).isEqualTo(2 * SCANNERS);
    }

    /** The rows that were read ahead are gone, so the scan must not look as if it had ended. */
    @Test
    void aScannerThatExpiresWhenItsCallHasFoundItReportsNoEnd() throws Exception {
        StepLimit limit = StepLimit.of(10, 1 << 20);
        OpenScanner scanner =
                scanners.open(view(), ClientProtos.Scan.getDefaultInstance(), "tester", () -> new EndingScanner());
        scanners.ahead().start(scanner, limit, Runnable::run);
        Optional<OpenScanner> found = scanners.find(scanner.id());
        scanners.closeExpired();
        assertThat(found.orElseThrow().enter()).isTrue();
        assertThatThrownBy(() -> scanner.next(limit)).isInstanceOf(CellException.class);
        scanner.leave();
    }

    /** A scanner that cannot be opened takes no place. */
    @Test
    void aScannerThatFailsToOpenWithAnErrorTakesNoPlace() {
        for (int i = 0; i < 2 * SCANNERS; i++) {
            assertThatThrownBy(() -> scanners.open(view(), ClientProtos.Scan.getDefaultInstance(), "tester", () -> {
                        throw new OutOfMemoryError("planned");
                    }))
                    .isInstanceOf(OutOfMemoryError.class);
        }
    }

    @SuppressWarnings("NullAway") // Nothing is read.
    private static Region view() {
        return new Region(RegionInfoBuilder.FIRST_META_REGIONINFO, null, null);
    }

    private final class FailingScanner implements CellScanner {
        @Override
        public ScanStep next(StepLimit limit) {
            throw new IllegalStateException("Nobody reads");
        }

        @Override
        public Optional<ResumePoint> position() {
            return Optional.empty();
        }

        @Override
        public void close() {
            closed++;
            throw new IllegalStateException("The snapshot is gone");
        }
    }

    /** Has one row, which ends its range. */
    private static final class EndingScanner implements CellScanner {
        private boolean ended;

        @Override
        public ScanStep next(StepLimit limit) {
            List<CellRow> rows = ended ? List.of() : List.of(new CellRow(Bytes.utf8("row"), List.of(), false));
            ended = true;
            return new ScanStep(rows, ScanStep.End.RANGE_DONE);
        }

        @Override
        public Optional<ResumePoint> position() {
            return Optional.empty();
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
