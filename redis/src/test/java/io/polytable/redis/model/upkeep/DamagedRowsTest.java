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
    private final StoreException damage = new StoreException(StoreError.CORRUPT, "on purpose");

    private final Table table = RedisTables.open(new MemoryStore()).keys(0);
    private final DamagedRows rows = new DamagedRows();

    @Test
    void aRowIsLoggedOnceUntilItIsMended() {
        Bytes row = Bytes.utf8("row");
        assertThat(rows.add(table, row, damage)).isTrue();
        assertThat(rows.add(table, row, damage)).isFalse();
        rows.remove(row);
        assertThat(rows.add(table, row, damage)).isTrue();
    }

    @Test
    void remembersAndLogsNoMoreThanItsLimit() {
        for (int i = 0; i < DamagedRows.REMEMBERED_MAX; i++) {
            assertThat(rows.add(table, Bytes.utf8("row" + i), damage)).isTrue();
        }
        assertThat(rows.add(table, Bytes.utf8("one more"), damage)).isFalse();
        assertThat(rows.size()).isEqualTo(DamagedRows.REMEMBERED_MAX);
    }
}
