package io.polytable.redis.model.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.testkit.MemoryStore;
import org.junit.jupiter.api.Test;

class DamagedRowsTest {
    private static final StoreException DAMAGE = new StoreException(StoreError.CORRUPT, "on purpose");

    private final Table table = RedisTables.open(new MemoryStore()).keys(0);
    private final DamagedRows rows = new DamagedRows();

    @Test
    void aRowIsLoggedOnceUntilItIsMended() {
        Bytes row = Bytes.utf8("row");
        assertThat(rows.add(table, row, DAMAGE)).isTrue();
        assertThat(rows.add(table, row, DAMAGE)).isFalse();
        rows.remove(row);
        assertThat(rows.add(table, row, DAMAGE)).isTrue();
    }

    @Test
    void remembersAndLogsNoMoreThanItsLimit() {
        for (int i = 0; i < DamagedRows.REMEMBERED_MAX; i++) {
            assertThat(rows.add(table, Bytes.utf8("row" + i), DAMAGE)).isTrue();
        }
        assertThat(rows.add(table, Bytes.utf8("one more"), DAMAGE)).isFalse();
        assertThat(rows.size()).isEqualTo(DamagedRows.REMEMBERED_MAX);
    }
}
