package io.polytable.conformance.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.process.RedisServerProcess;
import io.polytable.conformance.resp.RespConnection;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ledger's expected state equals the reference's, after every prefix. */
class LedgerTest {
    @Test
    void knowsTheStateAfterEveryOperation(@TempDir Path directory) {
        Ledger ledger = new Ledger(1);
        try (RedisServerProcess server = RedisServerProcess.start(directory);
                RespConnection connection = server.connect()) {
            for (int i = 0; i < 2_000; i++) {
                assertThat(connection.call(ledger.command(i)).tree().isError()).isFalse();
                ledger.apply();
                if (i % 100 < 10) {
                    assertThat(ledger.read(connection)).as("after %d", i).isEqualTo(ledger.state());
                }
            }
        }
    }
}
