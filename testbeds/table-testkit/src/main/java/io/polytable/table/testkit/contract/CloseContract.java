package io.polytable.table.testkit.contract;

import static io.polytable.table.testkit.Rows.key;
import static io.polytable.table.testkit.Rows.value;

import io.polytable.table.KeyRange;
import io.polytable.table.StoreError;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.Rows;
import io.polytable.table.write.Batch;
import org.junit.jupiter.api.Test;

/** Calls after close. */
interface CloseContract extends StoreUnderTest {
    @Test
    default void aClosedStoreSaysSo() {
        put("a/1", "x");
        TableStore store = store();
        Table table = table();
        store.close();
        StoreUnderTest.assertFails(StoreError.CLOSED, () -> store.read(table, key("a/1")));
        StoreUnderTest.assertFails(StoreError.CLOSED, () -> store.scan(table, KeyRange.ALL));
        StoreUnderTest.assertFails(
                StoreError.CLOSED, () -> store.commit(new Batch().put(table, key("a/1"), value("y"))));
        StoreUnderTest.assertFails(StoreError.CLOSED, () -> store.create(Rows.spec("late")));
        StoreUnderTest.assertFails(StoreError.CLOSED, store::snapshot);
    }

    @Test
    default void closingTwiceIsClosingOnce() {
        put("a/1", "x");
        store().close();
        store().close();
    }
}
