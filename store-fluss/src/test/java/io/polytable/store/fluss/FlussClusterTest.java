package io.polytable.store.fluss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connecting while parts of the cluster are down. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class FlussClusterTest {
    private static final int ATTEMPTS = 3;
    private static final Schema SCHEMA =
            Schema.newBuilder().column("k", DataTypes.BIGINT()).primaryKey("k").build();

    private static String nobody() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "127.0.0.1:" + socket.getLocalPort();
        }
    }

    private static Table open(FlussCluster cluster, String table) {
        return cluster.ownTable(cluster.path(table), SCHEMA, "A test's");
    }

    /** Fluss checks the number of live servers before it looks whether the table exists. */
    @Test
    void aTableIsOpenedThatCouldNotBeCreatedNow() {
        long id = open(LogFixture.cluster(), "opened").getTableInfo().getTableId();
        try (FlussCluster demanding = FlussCluster.open(LogFixture.settings().withReplication(3))) {
            assertThat(open(demanding, "opened").getTableInfo().getTableId()).isEqualTo(id);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> open(demanding, "not_opened"))
                    .withMessageContaining("InvalidReplicationFactorException");
        }
    }

    @Test
    void anyOfSeveralAddressesIsEnough() throws IOException {
        FlussSettings settings = FlussSettings.of(nobody(), TestCluster.shared().bootstrapServers());
        try (FlussCluster cluster = FlussCluster.open(settings)) {
            assertThat(LogTables.count(cluster)).isNotNegative();
        }
    }

    /** A server tries again and again while its cluster is down. */
    @Test
    void attemptsThatFailLeaveNoThreadsBehind() throws Exception {
        FlussSettings settings = FlussSettings.of(nobody()).withAnswerMax(Duration.ofSeconds(2));
        ThreadGroup group = new ThreadGroup("attempts");
        Thread attempts = new Thread(group, () -> {
            for (int i = 0; i < ATTEMPTS; i++) {
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> FlussCluster.open(settings))
                        .satisfies(failed -> assertThat(failed.error()).isEqualTo(StoreError.IO));
            }
        });
        attempts.start();
        attempts.join();
        Await.until(() -> group.activeCount() + " threads end", () -> group.activeCount() == 0);
    }
}
