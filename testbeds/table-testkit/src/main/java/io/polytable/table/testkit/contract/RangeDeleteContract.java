package io.polytable.table.testkit.contract;

import static io.polytable.table.testkit.Rows.key;
import static io.polytable.table.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.testkit.Rows;
import io.polytable.table.write.Batch;
import org.junit.jupiter.api.Test;

/** Range deletes, alone and combined with other changes. */
interface RangeDeleteContract extends StoreUnderTest {
    private void fill() {
        putAll("a/1=1", "a/2=2", "a/3=3", "a/4=4", "b/1=5", "b/2=6", "c/1=7");
    }

    private void assertRows(String... rows) {
        assertThat(Rows.all(store(), table())).containsExactly(rows);
        betweenSteps();
        assertThat(Rows.all(store(), table())).containsExactly(rows);
        for (String row : rows) {
            assertRow(row.substring(0, row.indexOf('=')), row.substring(row.indexOf('=') + 1));
        }
    }

    @Test
    default void exactlyTheRowsOfTheRangeGo() {
        fill();
        betweenSteps();
        commit(new Batch().deleteRange(table(), Rows.within("a/2", "a/4")));
        assertNoRow("a/2");
        assertNoRow("a/3");
        assertThat(Rows.in(store(), table(), Rows.partition("a/"))).containsExactly("a/1=1", "a/4=4");
        assertRows("a/1=1", "a/4=4", "b/1=5", "b/2=6", "c/1=7");
        assertNoRow("a/2");
    }

    @Test
    default void aPartitionGoes() {
        fill();
        commit(new Batch().deleteRange(table(), Rows.partition("a/")));
        assertRows("b/1=5", "b/2=6", "c/1=7");
    }

    @Test
    default void aRangeAcrossPartitionsGoes() {
        fill();
        betweenSteps();
        commit(new Batch().deleteRange(table(), Rows.between("a/3", "b/2")));
        assertThat(Rows.in(store(), table(), Rows.partition("b/"))).containsExactly("b/2=6");
        assertRows("a/1=1", "a/2=2", "b/2=6", "c/1=7");
    }

    @Test
    default void withoutAnUpperBoundAllFurtherRowsGo() {
        fill();
        commit(new Batch().deleteRange(table(), Rows.between("b/2", "")));
        assertRows("a/1=1", "a/2=2", "a/3=3", "a/4=4", "b/1=5");
        commit(new Batch().deleteRange(table(), KeyRange.ALL));
        assertRows();
    }

    @Test
    default void aPartitionAtTheVeryEndOfTheKeysGoes() {
        Bytes last = Bytes.of(new byte[] {(byte) 0xff, (byte) 0xff});
        put("a/1", "1");
        commit(new Batch().put(table(), new RowKey(last.concat(last), 2), value("x")));
        betweenSteps();
        commit(new Batch().deleteRange(table(), KeyRange.partition(last)));
        assertRows("a/1=1");
    }

    @Test
    default void anEmptyRangeDeletesNothing() {
        fill();
        commit(new Batch()
                .deleteRange(table(), Rows.between("a/2", "a/2"))
                .deleteRange(table(), Rows.between("a/3", "a/2"))
                .deleteRange(table(), Rows.between("a/21", "a/29")));
        assertRows("a/1=1", "a/2=2", "a/3=3", "a/4=4", "b/1=5", "b/2=6", "c/1=7");
    }

    @Test
    default void rowsPutAfterwardsInTheSameBatchStay() {
        fill();
        betweenSteps();
        commit(new Batch()
                .deleteRange(table(), Rows.partition("a/"))
                .put(table(), key("a/2"), value("new"))
                .put(table(), key("a/9"), value("new")));
        assertThat(Rows.in(store(), table(), Rows.partition("a/"))).containsExactly("a/2=new", "a/9=new");
        assertRows("a/2=new", "a/9=new", "b/1=5", "b/2=6", "c/1=7");
    }

    @Test
    default void rowsPutBeforeInTheSameBatchGo() {
        fill();
        commit(new Batch()
                .put(table(), key("a/2"), value("new"))
                .put(table(), key("a/9"), value("new"))
                .put(table(), key("b/9"), value("new"))
                .deleteRange(table(), Rows.partition("a/")));
        assertRows("b/1=5", "b/2=6", "b/9=new", "c/1=7");
    }

    @Test
    default void nestedAndOverlappingRangesInOneBatch() {
        fill();
        commit(new Batch()
                .deleteRange(table(), Rows.between("a/2", "b/2"))
                .put(table(), key("a/3"), value("x"))
                .put(table(), key("a/4"), value("x"))
                .deleteRange(table(), Rows.within("a/3", "a/35"))
                .put(table(), key("a/31"), value("y"))
                .deleteRange(table(), Rows.between("b/1", "c/")));
        assertRows("a/1=1", "a/31=y", "a/4=x", "c/1=7");
    }

    @Test
    default void rangesOfSeveralCommitsLieOverOneAnother() {
        fill();
        commit(new Batch().deleteRange(table(), Rows.within("a/1", "a/3")));
        put("a/1", "again");
        betweenSteps();
        commit(new Batch().deleteRange(table(), Rows.within("a/2", "a/4")));
        put("a/3", "again");
        commit(new Batch().deleteRange(table(), Rows.partition("b/")));
        assertRows("a/1=again", "a/3=again", "a/4=4", "c/1=7");
    }

    @Test
    default void aDeletedRangeIsGoneForRowsThatComeAndGo() {
        fill();
        for (int i = 0; i < 5; i++) {
            commit(new Batch().deleteRange(table(), Rows.partition("a/")).put(table(), key("a/" + i), value("r" + i)));
            betweenSteps();
        }
        assertThat(Rows.in(store(), table(), Rows.partition("a/"))).containsExactly("a/4=r4");
        commit(new Batch().delete(table(), key("a/4")));
        assertRows("b/1=5", "b/2=6", "c/1=7");
    }

    @Test
    default void otherTablesKeepTheirRows() {
        fill();
        commit(new Batch().put(table("other"), key("a/1"), value("x")));
        commit(new Batch().deleteRange(table(), KeyRange.ALL));
        betweenSteps();
        assertThat(Rows.all(store(), table("other"))).containsExactly("a/1=x");
    }

    @Test
    default void aRangeOfThousandsGoes() {
        Table table = table();
        Batch batch = new Batch();
        for (int i = 0; i < 3000; i++) {
            batch.put(table, key("a/%04d".formatted(i)), value("v"));
        }
        commit(batch);
        betweenSteps();
        commit(new Batch().deleteRange(table(), Rows.within("a/0001", "a/2999")));
        assertRows("a/0000=v", "a/2999=v");
    }
}
