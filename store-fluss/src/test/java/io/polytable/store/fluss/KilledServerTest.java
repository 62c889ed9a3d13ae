package io.polytable.store.fluss;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.log.RecordBatches;
import io.polytable.table.StoreException;
import io.polytable.table.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three servers, three copies: one after the other is killed under load, and nothing acknowledged is lost. */
@Tag("cluster")
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class KilledServerTest {
    private static final int SERVERS = 3;
    private static final long PAUSE_MILLIS = 12_000;
    private static final int ACKNOWLEDGED_BETWEEN = 100;

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<String> acknowledged = new ArrayList<>();
    private final AtomicInteger count = new AtomicInteger();
    private long longestStallMillis;
    private final AtomicInteger rebuilt = new AtomicInteger();

    @Test
    void nothingAcknowledgedIsLost() throws InterruptedException {
        try (TestCluster cluster = TestCluster.start(SERVERS, SERVERS)) {
            FlussSettings settings = FlussSettings.of(cluster.bootstrapServers())
                    .withReplication(SERVERS)
                    .withAnswerMax(Duration.ofSeconds(20));
            Thread writer = new Thread(() -> write(settings));
            writer.start();
            awaitAcknowledged(ACKNOWLEDGED_BETWEEN);
            for (int server = 0; server < SERVERS; server++) {
                cluster.tabletServer(server).kill();
                Thread.sleep(PAUSE_MILLIS);
                cluster.restartTabletServer(server);
                // Only a cluster that has found together again may lose the next one: two of three are a majority.
                Thread.sleep(PAUSE_MILLIS);
                awaitAcknowledged(ACKNOWLEDGED_BETWEEN);
            }
            stopped.set(true);
            writer.join();
            System.out.println("Acknowledged " + acknowledged.size() + ", longest stall " + longestStallMillis
                    + " ms, log opened again " + rebuilt + " times");
            assertThat(recovered(settings)).containsSubsequence(acknowledged);
        }
    }

    /** So many more than there are now. */
    private void awaitAcknowledged(int more) {
        int wanted = count.get() + more;
        Await.until(
                () -> "acknowledged " + count.get() + " of " + wanted + ", log opened again " + rebuilt.get()
                        + " times",
                () -> count.get() >= wanted);
    }

    private void write(FlussSettings settings) {
        long number = 0;
        Optional<Long> former = Optional.empty();
        while (!stopped.get()) {
            try (FlussCluster cluster = FlussCluster.open(settings);
                    FlussLog log = FlussLog.open(cluster, LogFixture.OPTIONS.withFormerOwner(former))) {
                former = Optional.of(log.owner());
                while (!stopped.get()) {
                    append(log, "record " + number++);
                }
            } catch (StoreException stepDown) {
                rebuilt.incrementAndGet();
            }
        }
    }

    private void append(FlussLog log, String record) {
        long begun = System.nanoTime();
        log.append(RecordBatches.after(log, record));
        log.sync();
        acknowledged.add(record);
        count.incrementAndGet();
        longestStallMillis = Math.max(longestStallMillis, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
    }

    private static List<String> recovered(FlussSettings settings) {
        try (FlussCluster cluster = FlussCluster.open(settings);
                FlussLog log = FlussLog.open(cluster, LogFixture.OPTIONS)) {
            return RecordBatches.read(log, 1).stream()
                    .map(bytes -> new String(bytes, StandardCharsets.US_ASCII).strip())
                    .toList();
        }
    }
}
