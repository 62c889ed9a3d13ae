package io.polytable.entity.cassandra;

import io.polytable.entity.contract.LayoutRace;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three processes and a real node: two change a layout while the third writes. */
@Timeout(900)
@Order(1) // Waits for other processes: starts first.
class LayoutRaceTest {
    @Test
    void nothingIsWrittenUnderAWithdrawnLayout() throws Exception {
        LayoutRace.run(
                CassandraNode.uri()
                        .withInstance("Race_" + ProcessHandle.current().pid())
                        .withOption("layout.lease.millis", "200"),
                2);
    }
}
