package io.polytable.store.fluss;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.log.RecordBatches;
import io.polytable.table.StoreException;
import io.polytable.table.testkit.Await;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A start while a tablet server and the coordinator are down. */
@Tag("cluster")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class DegradedStartTest {
    private static final int SERVERS = 3;

    @Test
    void aLogIsOpenedWithoutATabletServerAndTheCoordinator() {
        try (TestCluster cluster = TestCluster.start(SERVERS, SERVERS)) {
            FlussSettings settings = FlussSettings.of(cluster.allServers().toArray(String[]::new))
                    .withReplication(SERVERS)
                    .withAnswerMax(Duration.ofSeconds(20));
            Await.until("all servers are registered", () -> isAppended(settings, "complete", 1));
            cluster.tabletServer(0).kill();
            Await.until("the log is opened without one server", () -> isAppended(settings, "without one server", 2));
            cluster.coordinator().kill();
            Await.until("the log is opened without coordinator", () -> isAppended(settings, "without coordinator", 3));
        }
    }

    /** Until Fluss has noticed the death and elected other leaders, a start fails. */
    private static boolean isAppended(FlussSettings settings, String record, long end) {
        try {
            append(settings, record, end);
            return true;
        } catch (StoreException notYet) {
            return false;
        }
    }

    private static void append(FlussSettings settings, String record, long end) {
        try (FlussCluster cluster = FlussCluster.open(settings);
                FlussLog log = FlussLog.open(cluster, LogFixture.OPTIONS)) {
            if (log.end() < end) {
                log.append(RecordBatches.after(log, record));
                log.sync();
            }
            assertThat(log.end()).isEqualTo(end);
        }
    }
}
