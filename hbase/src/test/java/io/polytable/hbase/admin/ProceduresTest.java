package io.polytable.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.Test;

/** The ids of procedures. */
class ProceduresTest {
    private static long idOfFirst(long startMillis) throws IOException {
        InstantSource clock = () -> Instant.ofEpochMilli(startMillis);
        try (Procedures procedures = new Procedures(clock)) {
            long id = procedures.run(ProcedureKind.deleteNamespace("none"), 0, HConstants.NO_NONCE, () -> {});
            assertThat(procedures.find(id)).isPresent();
            return id;
        }
    }

    /** A client that polls across a restart must not get the outcome of somebody else's procedure. */
    @Test
    void anIdIsNotUsedAgainAfterARestart() throws IOException {
        assertThat(idOfFirst(2_000)).isNotEqualTo(idOfFirst(1_000));
    }
}
