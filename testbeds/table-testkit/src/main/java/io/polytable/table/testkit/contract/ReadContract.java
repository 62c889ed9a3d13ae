package io.polytable.table.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.testkit.Rows;
import io.polytable.table.write.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Single rows: put, read, overwrite, delete. */
interface ReadContract extends StoreUnderTest {
    @Test
    default void aRowThatWasNeverPutIsAbsent() {
        assertNoRow("a/1");
        put("a/1", "x");
        betweenSteps();
        assertNoRow("a/2");
        assertNoRow("a/");
        assertNoRow("a/10");
    }

    @Test
    default void aCommittedRowIsReadAtOnceAndLater() {
        store().commit(new Batch().put(table(), Rows.key("a/1"), Rows.value("x")));
        assertRow("a/1", "x");
        StoreUnderTest.await(store().latest());
        betweenSteps();
        assertRow("a/1", "x");
    }

    @Test
    default void theLastPutWins() {
        put("a/1", "x");
        betweenSteps();
        put("a/1", "y");
        assertRow("a/1", "y");
        put("a/1", "z");
        betweenSteps();
        assertRow("a/1", "z");
    }

    @Test
    default void aDeletedRowIsAbsentUntilItIsPutAgain() {
        put("a/1", "x");
        betweenSteps();
        commit(new Batch().delete(table(), Rows.key("a/1")));
        assertNoRow("a/1");
        betweenSteps();
        assertNoRow("a/1");
        put("a/1", "y");
        betweenSteps();
        assertRow("a/1", "y");
    }

    @Test
    default void deletingWhatIsNotThereChangesNothing() {
        put("a/1", "x");
        commit(new Batch().delete(table(), Rows.key("a/2")));
        betweenSteps();
        assertThat(Rows.all(store(), table())).containsExactly("a/1=x");
    }

    @Test
    default void anEmptyValueIsNotAnAbsentRow() {
        put("a/1", "");
        betweenSteps();
        assertRow("a/1", "");
    }

    @Test
    default void aValueMayBeGivenInTwoParts() {
        commit(new Batch().put(table(), Rows.key("a/1"), Rows.value("head,"), Rows.value("tail")));
        betweenSteps();
        assertRow("a/1", "head,tail");
    }

    @Test
    default void keysAndValuesAreAnyBytes() {
        Batch batch = new Batch();
        List<RowKey> keys = new ArrayList<>();
        for (int b = 0; b < 256; b++) {
            keys.add(new RowKey(Bytes.of(new byte[] {'p', (byte) b, 0, (byte) ~b}), 1));
            batch.put(table(), keys.get(b), Bytes.of(new byte[] {(byte) b, 0, (byte) 0xff}));
        }
        commit(batch);
        betweenSteps();
        for (int b = 0; b < 256; b++) {
            assertThat(store().read(table(), keys.get(b)))
                    .as("key byte %d", b)
                    .contains(Bytes.of(new byte[] {(byte) b, 0, (byte) 0xff}));
        }
    }

    @Test
    default void aValueOfAMegabyteComesBack() {
        byte[] large = new byte[1 << 20];
        new Random(5).nextBytes(large);
        commit(new Batch().put(table(), Rows.key("a/1"), Bytes.of(large.clone())));
        assertThat(store().read(table(), Rows.key("a/1"))).contains(Bytes.of(large));
        betweenSteps();
        assertThat(store().read(table(), Rows.key("a/1"))).contains(Bytes.of(large));
    }

    @Test
    default void manyKeysAreAnsweredInTheOrderAsked() {
        putAll("a/1=x", "a/2=y", "b/1=z");
        betweenSteps();
        List<RowKey> keys = List.of(
                Rows.key("b/1"), Rows.key("a/3"), Rows.key("a/1"), Rows.key("a/1"), Rows.key("c/1"), Rows.key("a/2"));
        assertThat(store().readMany(table(), keys))
                .containsExactly(
                        Optional.of(Rows.value("z")),
                        Optional.empty(),
                        Optional.of(Rows.value("x")),
                        Optional.of(Rows.value("x")),
                        Optional.empty(),
                        Optional.of(Rows.value("y")));
        assertThat(store().readMany(table(), List.of())).isEmpty();
    }

    @Test
    default void tablesDoNotShareRows() {
        Table other = table("other");
        put("a/1", "x");
        commit(new Batch().put(other, Rows.key("a/1"), Rows.value("y")));
        betweenSteps();
        assertRow("a/1", "x");
        assertThat(Rows.all(store(), table("other"))).containsExactly("a/1=y");
    }

    @Test
    default void whatWasReadStaysAsItWas() {
        put("a/1", "before");
        Bytes read = store().read(table(), Rows.key("a/1")).orElseThrow();
        for (int i = 0; i < 100; i++) {
            store().commit(new Batch().put(table(), Rows.key("a/1"), Rows.value("after" + i)));
        }
        assertThat(read).isEqualTo(Rows.value("before"));
    }

    @Test
    default void theBatchIsTheCallersAgainAfterTheCommit() {
        Batch batch = new Batch();
        for (int i = 0; i < 50; i++) {
            batch.clear();
            batch.put(table(), Rows.key("a/" + i), Rows.value("v" + i));
            store().commit(batch);
        }
        StoreUnderTest.await(store().latest());
        betweenSteps();
        for (int i = 0; i < 50; i++) {
            assertRow("a/" + i, "v" + i);
        }
    }
}
