package io.polytable.table.testkit.contract;

import static io.polytable.table.testkit.Rows.key;
import static io.polytable.table.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.Table;
import io.polytable.table.testkit.Rows;
import io.polytable.table.write.Batch;
import io.polytable.table.write.WriteSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Batches: several changes, applied in order and atomically. */
interface BatchContract extends StoreUnderTest {
    @Test
    default void aBatchOverManyTablesIsVisibleWhole() {
        Batch batch = new Batch();
        for (int i = 0; i < 10; i++) {
            batch.put(table("t" + i), key("a/" + i), value("v" + i));
        }
        store().commit(batch);
        for (int i = 0; i < 10; i++) {
            assertThat(Rows.all(store(), table("t" + i))).containsExactly("a/%d=v%d".formatted(i, i));
        }
        StoreUnderTest.await(store().latest());
        betweenSteps();
        for (int i = 0; i < 10; i++) {
            assertThat(Rows.all(store(), table("t" + i))).containsExactly("a/%d=v%d".formatted(i, i));
        }
    }

    @Test
    default void ofTwoPutsOfAKeyTheLastWins() {
        commit(new Batch()
                .put(table(), key("a/1"), value("first"))
                .put(table(), key("a/2"), value("between"))
                .put(table(), key("a/1"), value("last")));
        assertRow("a/1", "last");
        betweenSteps();
        assertThat(Rows.all(store(), table())).containsExactly("a/1=last", "a/2=between");
    }

    @Test
    default void changesOfOneKeyHappenInTheirOrder() {
        put("a/1", "old");
        put("a/2", "old");
        betweenSteps();
        commit(new Batch()
                .put(table(), key("a/1"), value("new"))
                .delete(table(), key("a/1"))
                .delete(table(), key("a/2"))
                .put(table(), key("a/2"), value("new")));
        assertThat(Rows.all(store(), table())).containsExactly("a/2=new");
        betweenSteps();
        assertThat(Rows.all(store(), table())).containsExactly("a/2=new");
    }

    @Test
    default void aRefusedBatchLeavesNothing() {
        Table gone = table("gone");
        put("a/1", "old");
        store().drop(gone.name());
        Batch batch = new Batch()
                .put(table(), key("a/1"), value("new"))
                .put(gone, key("a/1"), value("x"))
                .put(table(), key("a/2"), value("new"));
        Position before = store().position();
        StoreUnderTest.assertFails(StoreError.NO_SUCH_TABLE, () -> store().commit(batch));
        assertThat(store().position()).isEqualTo(before);
        assertThat(Rows.all(store(), table())).containsExactly("a/1=old");
        betweenSteps();
        assertThat(Rows.all(store(), table())).containsExactly("a/1=old");
    }

    @Test
    default void anEmptyBatchChangesNothing() {
        put("a/1", "x");
        StoreUnderTest.await(store().commit(new Batch()));
        assertThat(Rows.all(store(), table())).containsExactly("a/1=x");
    }

    @Test
    default void aLargeBatchIsAtomicToo() {
        Table table = table();
        Batch batch = new Batch();
        for (int i = 0; i < 5000; i++) {
            batch.put(table, key("a/%04d".formatted(i)), value("v" + i));
        }
        commit(batch);
        assertThat(Rows.in(store(), table(), Rows.partition("a/"))).hasSize(5000);
        betweenSteps();
        assertThat(Rows.all(store(), table())).hasSize(5000);
    }

    @Test
    default void durabilityComesInCommitOrder() {
        store().commit(new Batch().put(table(), key("a/1"), value("1")));
        StoreUnderTest.await(commit(new Batch().put(table(), key("a/2"), value("2"))));
        assertThat(store().latest().isDurable()).isTrue();
        store().commit(new Batch().put(table(), key("a/3"), value("3")));
        store().flush();
        StoreUnderTest.await(store().latest());
    }

    @Test
    default void aWriteSetSeesItselfAndThenEveryoneDoes() {
        putAll("a/1=1", "a/2=2");
        betweenSteps();
        WriteSet writes = new WriteSet(store());
        writes.put(table(), key("a/3"), value("3"));
        writes.delete(table(), key("a/1"));
        assertThat(Rows.in(writes, table(), Rows.partition("a/"))).containsExactly("a/2=2", "a/3=3");
        assertThat(Rows.all(store(), table())).containsExactly("a/1=1", "a/2=2");
        StoreUnderTest.await(writes.commit());
        betweenSteps();
        assertThat(Rows.all(store(), table())).containsExactly("a/2=2", "a/3=3");
    }

    @Test
    default void whenThereIsRoomTheActionRunsOnce() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        store().whenRoom(ran::countDown);
        assertThat(ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
}
