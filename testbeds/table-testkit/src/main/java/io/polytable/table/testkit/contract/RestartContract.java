package io.polytable.table.testkit.contract;

import static io.polytable.table.testkit.Rows.key;
import static io.polytable.table.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Position;
import io.polytable.table.TableName;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.testkit.Rows;
import io.polytable.table.write.Batch;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The obligations of a store whose rows survive close and reopen. */
interface RestartContract extends StoreUnderTest {
    /** Closes the store and opens it again. */
    void restart();

    @Test
    default void rowsAreThereAgain() {
        putAll("a/1=1", "a/2=2", "b/1=3");
        commit(new Batch().delete(table(), key("a/2")));
        restart();
        assertThat(Rows.all(store(), table())).containsExactly("a/1=1", "b/1=3");
        put("a/2", "again");
        restart();
        assertThat(Rows.all(store(), table())).containsExactly("a/1=1", "a/2=again", "b/1=3");
    }

    @Test
    default void aCleanCloseKeepsWhatWasNotYetDurable() {
        for (int i = 0; i < 100; i++) {
            store().commit(new Batch().put(table(), key("a/%02d".formatted(i)), value("v")));
        }
        restart();
        assertThat(Rows.all(store(), table())).hasSize(100);
    }

    @Test
    default void anEmptyStoreIsEmptyAgain() {
        restart();
        restart();
        assertThat(Rows.all(store(), table())).isEmpty();
    }

    @Test
    default void rangeDeletesAreKept() {
        putAll("a/1=1", "a/2=2", "b/1=3");
        commit(new Batch().deleteRange(table(), Rows.partition("a/")).put(table(), key("a/2"), value("new")));
        restart();
        assertThat(Rows.all(store(), table())).containsExactly("a/2=new", "b/1=3");
        restart();
        assertNoRow("a/1");
    }

    @Test
    default void droppedTablesStayDroppedAndTheirIdsUnused() {
        TableName name = Rows.spec("t").name();
        put("a/1", "x");
        int id = table().id();
        store().drop(name);
        restart();
        assertThat(store().find(name)).isEmpty();
        assertThat(table().id()).isGreaterThan(id);
        assertThat(Rows.all(store(), table())).isEmpty();
        restart();
        assertThat(table().id()).isGreaterThan(id);
        assertThat(Rows.all(store(), table())).isEmpty();
    }

    @Test
    default void theIdOfATableDroppedLastIsNotUsedAgain() {
        int id = table().id();
        store().drop(Rows.spec("t").name());
        restart();
        restart();
        assertThat(table("another").id()).isGreaterThan(id);
    }

    @Test
    default void addedColumnsAreKept() {
        Column more = new Column("more", ColumnType.BOOLEAN);
        store().addColumn(table().name(), more);
        restart();
        assertThat(store().find(Rows.spec("t").name()).orElseThrow().spec())
                .isEqualTo(Rows.spec("t").withColumn(more));
    }

    @Test
    default void aPositionKeptElsewhereIsGoodAfterARestart() {
        put("a/1", "1");
        String kept = store().position().text();
        put("a/2", "2");
        restart();
        put("a/3", "3");
        try (ChangeFeed feed = store().changes(Set.of(table()), Position.parse(kept))) {
            List<Change> changes = feed.poll(100, Duration.ZERO);
            assertThat(changes.stream().map(change -> change.key().utf8())).containsExactly("a/2", "a/3");
        }
    }

    @Test
    default void ticketsInDurableCommitsNeverComeAgain() {
        long last = 0;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 10; j++) {
                long ticket = store().ticket();
                assertThat(ticket).isGreaterThan(last);
                last = ticket;
            }
            put("a/1", "with ticket " + last);
            restart();
        }
    }
}
