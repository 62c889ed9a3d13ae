package io.polytable.hbase.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.cells.request.ResumePoint;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.StepLimit;
import io.polytable.cells.store.CellScanner;
import io.polytable.hbase.catalog.Region;
import java.time.Duration;
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
                scanners.open(region, ClientProtos.Scan.getDefaultInstance(), FailingScanner::new);
            }
            scanners.closeExpired();
            assertThat(scanners.count()).isZero();
        }
        assertThat(closed).isEqualTo(2 * SCANNERS);
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
}
