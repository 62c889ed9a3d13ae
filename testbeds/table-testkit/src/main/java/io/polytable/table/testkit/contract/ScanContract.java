package io.polytable.table.testkit.contract;

import static io.polytable.table.Direction.FORWARD;
import static io.polytable.table.Direction.REVERSE;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.testkit.Rows;
import io.polytable.table.write.Batch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ranges of rows: order, bounds, limits, directions, within a partition and across. */
interface ScanContract extends StoreUnderTest {
    @Test
    default void anEmptyTableHasNoRows() {
        assertThat(Rows.all(store(), table())).isEmpty();
        assertThat(Rows.in(store(), table(), Rows.partition("a/"))).isEmpty();
    }

    @Test
    default void rowsComeInTheOrderOfTheirKeys() {
        putAll("b/1=4", "a/2=2", "c/1=5", "a/1=1", "a/3=3");
        assertThat(Rows.all(store(), table())).containsExactly("a/1=1", "a/2=2", "a/3=3", "b/1=4", "c/1=5");
        betweenSteps();
        assertThat(Rows.all(store(), table())).containsExactly("a/1=1", "a/2=2", "a/3=3", "b/1=4", "c/1=5");
        assertThat(Rows.in(store(), table(), Rows.partition("a/"))).containsExactly("a/1=1", "a/2=2", "a/3=3");
    }

    @Test
    default void aRangeHoldsItsLowerBoundAndNotItsUpper() {
        putAll("a/1=1", "a/2=2", "a/3=3", "a/4=4", "b/1=5");
        betweenSteps();
        assertThat(Rows.in(store(), table(), Rows.within("a/2", "a/4"))).containsExactly("a/2=2", "a/3=3");
        assertThat(Rows.in(store(), table(), Rows.between("a/2", "a/4"))).containsExactly("a/2=2", "a/3=3");
        assertThat(Rows.in(store(), table(), Rows.between("a/15", "a/35"))).containsExactly("a/2=2", "a/3=3");
        assertThat(Rows.in(store(), table(), Rows.between("a/4", ""))).containsExactly("a/4=4", "b/1=5");
        assertThat(Rows.in(store(), table(), Rows.between("a/3", "a/3"))).isEmpty();
        assertThat(Rows.in(store(), table(), Rows.between("a/3", "a/2"))).isEmpty();
        assertThat(Rows.in(store(), table(), KeyRange.prefix(Bytes.utf8("a")))).hasSize(4);
    }

    @Test
    default void aScanMayGoBackwards() {
        putAll("a/1=1", "a/2=2", "a/3=3", "b/1=4");
        betweenSteps();
        assertThat(Rows.in(store(), table(), KeyRange.ALL, REVERSE, Long.MAX_VALUE))
                .containsExactly("b/1=4", "a/3=3", "a/2=2", "a/1=1");
        assertThat(Rows.in(store(), table(), Rows.partition("a/"), REVERSE, Long.MAX_VALUE))
                .containsExactly("a/3=3", "a/2=2", "a/1=1");
        assertThat(Rows.in(store(), table(), Rows.within("a/1", "a/3"), REVERSE, Long.MAX_VALUE))
                .containsExactly("a/2=2", "a/1=1");
        assertThat(Rows.in(store(), table(), Rows.between("a/2", "a/2"), REVERSE, Long.MAX_VALUE))
                .isEmpty();
    }

    @Test
    default void aLimitEndsAScan() {
        putAll("a/1=1", "a/2=2", "a/3=3", "b/1=4");
        betweenSteps();
        for (KeyRange range : List.of(Rows.partition("a/"), Rows.between("a/", "b/"))) {
            assertThat(Rows.in(store(), table(), range, FORWARD, 0)).isEmpty();
            assertThat(Rows.in(store(), table(), range, FORWARD, 2)).containsExactly("a/1=1", "a/2=2");
            assertThat(Rows.in(store(), table(), range, FORWARD, 3)).hasSize(3);
            assertThat(Rows.in(store(), table(), range, FORWARD, 4)).hasSize(3);
        }
    }

    @Test
    default void aLimitEndsAScanBackwards() {
        putAll("a/1=1", "a/2=2", "a/3=3", "b/1=4");
        betweenSteps();
        assertThat(Rows.in(store(), table(), KeyRange.ALL, REVERSE, 2)).containsExactly("b/1=4", "a/3=3");
        assertThat(Rows.in(store(), table(), Rows.partition("a/"), REVERSE, 2)).containsExactly("a/3=3", "a/2=2");
    }

    @Test
    default void aLimitCountsRowsThatAreThereNotThoseDeleted() {
        putAll("a/1=1", "a/2=2", "a/3=3", "a/4=4");
        betweenSteps();
        commit(new Batch()
                .delete(table(), Rows.key("a/1"))
                .delete(table(), Rows.key("a/3"))
                .put(table(), Rows.key("a/5"), Rows.value("5")));
        assertThat(Rows.in(store(), table(), Rows.partition("a/"), FORWARD, 2)).containsExactly("a/2=2", "a/4=4");
        assertThat(Rows.in(store(), table(), KeyRange.ALL, FORWARD, 3)).containsExactly("a/2=2", "a/4=4", "a/5=5");
    }

    @Test
    default void oldAndNewRowsAreMergedRightAfterAWrite() {
        putAll("a/1=old", "a/3=old", "a/5=old", "b/1=old");
        betweenSteps();
        commit(new Batch()
                .put(table(), Rows.key("a/2"), Rows.value("new"))
                .put(table(), Rows.key("a/3"), Rows.value("new"))
                .delete(table(), Rows.key("a/5"))
                .put(table(), Rows.key("a/6"), Rows.value("new")));
        List<String> merged = List.of("a/1=old", "a/2=new", "a/3=new", "a/6=new");
        assertThat(Rows.in(store(), table(), Rows.partition("a/"))).isEqualTo(merged);
        assertThat(Rows.in(store(), table(), Rows.between("a/", "b/"))).isEqualTo(merged);
        betweenSteps();
        assertThat(Rows.in(store(), table(), Rows.partition("a/"))).isEqualTo(merged);
    }

    @Test
    default void oldAndNewRowsAreMergedBackwards() {
        putAll("a/1=old", "a/3=old", "a/5=old");
        betweenSteps();
        putAll("a/2=new", "a/3=new");
        commit(new Batch().delete(table(), Rows.key("a/1")));
        for (KeyRange range : List.of(Rows.partition("a/"), KeyRange.ALL)) {
            assertThat(Rows.in(store(), table(), range, REVERSE, Long.MAX_VALUE))
                    .containsExactly("a/5=old", "a/3=new", "a/2=new");
        }
    }

    @Test
    default void orderIsUnsignedAndAPrefixComesFirst() {
        List<RowKey> keys = new ArrayList<>();
        for (int b : new int[] {0x00, 0x01, 0x7f, 0x80, 0xff}) {
            keys.add(new RowKey(Bytes.of(new byte[] {'p', (byte) b}), 1));
            keys.add(new RowKey(Bytes.of(new byte[] {'p', (byte) b, 0}), 1));
            keys.add(new RowKey(Bytes.of(new byte[] {'p', (byte) b, (byte) 0xff}), 1));
        }
        List<RowKey> shuffled = new ArrayList<>(keys);
        Collections.shuffle(shuffled, new Random(7));
        shuffled.forEach(key -> store().commit(new Batch().put(table(), key, Bytes.EMPTY)));
        StoreUnderTest.await(store().latest());
        betweenSteps();
        for (KeyRange range : List.of(KeyRange.ALL, KeyRange.partition(Bytes.utf8("p")))) {
            List<Bytes> seen = new ArrayList<>();
            try (Cursor cursor = store().scan(table(), range)) {
                while (cursor.next()) {
                    seen.add(cursor.key());
                }
            }
            assertThat(seen).isEqualTo(keys.stream().map(RowKey::bytes).toList());
        }
    }

    @Test
    default void thousandsOfRowsPutInAnyOrderComeInOrder() {
        List<Integer> numbers = new ArrayList<>(IntStream.range(0, 3000).boxed().toList());
        Collections.shuffle(numbers, new Random(11));
        Table table = table();
        Batch batch = new Batch();
        for (int start = 0; start < numbers.size(); start += 100) {
            batch.clear();
            numbers.subList(start, start + 100)
                    .forEach(n -> batch.put(table, Rows.key("a/%05d".formatted(n)), Rows.value("v" + n)));
            store().commit(batch);
        }
        StoreUnderTest.await(store().latest());
        betweenSteps();
        List<String> expected = IntStream.range(0, 3000)
                .mapToObj(n -> "a/%05d=v%d".formatted(n, n))
                .toList();
        assertThat(Rows.in(store(), table(), Rows.partition("a/"))).isEqualTo(expected);
        assertThat(Rows.all(store(), table())).isEqualTo(expected);
        assertThat(Rows.in(store(), table(), Rows.within("a/01000", "a/01010")))
                .isEqualTo(expected.subList(1000, 1010));
    }

    @Test
    default void neighbouringPartitionsStayApart() {
        putAll("a/1=1", "a0/1=2", "aa/1=3", "a./1=4");
        betweenSteps();
        assertThat(Rows.in(store(), table(), Rows.partition("a/"))).containsExactly("a/1=1");
        assertThat(Rows.in(store(), table(), Rows.partition("aa/"))).containsExactly("aa/1=3");
    }

    @Test
    default void aKeyThatIsItsOwnPartitionIsARangeOfOne() {
        RowKey whole = RowKey.whole(Bytes.utf8("alone"));
        commit(new Batch().put(table(), whole, Rows.value("x")));
        betweenSteps();
        assertThat(store().read(table(), whole)).contains(Rows.value("x"));
        assertThat(Rows.in(store(), table(), KeyRange.partition(whole.bytes()))).containsExactly("alone=x");
    }
}
