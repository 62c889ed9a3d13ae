package io.polytable.redis.model.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import org.junit.jupiter.api.Test;

class LookupsTest {
    private final Keyspace keyspace = Keyspace.open(new MemoryStore());

    @Test
    void aClosedUnitStaysCountedAndIsLetGo() {
        try (UnitOfWork open = keyspace.newUnit()) {
            miss(open);
            try (UnitOfWork unit = keyspace.newUnit()) {
                miss(unit);
                assertThat(keyspace.lookups().unitCount()).isEqualTo(2);
            }
            assertThat(keyspace.lookups().unitCount()).isOne();
            assertThat(keyspace.lookups().sums().misses()).isEqualTo(2);
            keyspace.lookups().reset();
            assertThat(keyspace.lookups().sums().misses()).isZero();
        }
        assertThat(keyspace.lookups().unitCount()).isZero();
        assertThat(keyspace.lookups().sums().misses()).isZero();
    }

    private static void miss(UnitOfWork unit) {
        unit.begin(0, false);
        assertThat(unit.space(0).header(Bytes.utf8("none"))).isEmpty();
    }
}
