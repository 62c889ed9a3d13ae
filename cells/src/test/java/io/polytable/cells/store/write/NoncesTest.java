package io.polytable.cells.store.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.Nonce;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.WriteResult;
import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellStoreOptions;
import io.polytable.cells.store.CellTable;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A new nonce is recognised without a read of the store; a used one is found, whichever process used it. */
class NoncesTest {
    private static final Bytes F = Bytes.utf8("f");
    private static final Bytes ROW = Bytes.utf8("row");
    private static final TableName NAME = new TableName("default", "t");

    /** More than the filter loads at the start. */
    private static final int MANY = 1500;

    /** Counts point reads. */
    private static final class CountingStore extends ForwardingStore {
        private int reads;

        CountingStore() {
            super(new MemoryStore());
        }

        @Override
        public Optional<Bytes> read(Table table, RowKey key) {
            reads++;
            return super.read(table, key);
        }
    }

    private final CountingStore store = new CountingStore();
    private Instant now = Instant.now();
    private final CellStoreOptions options =
            CellStoreOptions.DEFAULT.withoutBackground().withClock(() -> now);
    private CellStore cells = CellStore.open(store, options);
    private CellTable table = cells.create(CellTableSpec.of(NAME, FamilySpec.of(F)));

    @AfterEach
    void close() {
        cells.close();
        store.close();
    }

    private void reopen() {
        cells.close();
        cells = CellStore.open(store, options);
        table = cells.table(NAME);
    }

    private WriteResult increment(long nonce) {
        return table.write(RowWrite.of(ROW, new Edit.Increment(F, F, 1)).with(new Nonce(1, nonce)));
    }

    /** How many point reads this number of increments causes. */
    private int readsOf(int increments, long firstNonce) {
        int before = store.reads;
        for (int i = 0; i < increments; i++) {
            increment(firstNonce + i);
        }
        return store.reads - before;
    }

    @Test
    void aNewNonceIsNotLookedFor() {
        assertThat(readsOf(100, 1)).isZero();
        reopen();
        assertThat(readsOf(100, 101)).isZero();
    }

    @Test
    void aNonceThatWasUsedIsFound() {
        List<WriteResult> first = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            first.add(increment(i));
        }
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < first.size(); i++) {
                assertThat(increment(i)).isEqualTo(first.get(i));
            }
            reopen();
        }
    }

    @Test
    void afterManyNoncesOfAnEarlierProcessEachIsLookedFor() {
        List<WriteResult> first = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            first.add(increment(i));
        }
        reopen();
        for (int i = 0; i < MANY; i++) {
            assertThat(increment(i)).isEqualTo(first.get(i));
        }
        assertThat(readsOf(1, MANY)).isPositive();
    }

    @Test
    void aNonceIsFoundWhenTheClockIsSetBackAtARestart() {
        now = now.plus(Duration.ofMinutes(16));
        WriteResult first = increment(1);
        now = now.minus(Duration.ofMinutes(16));
        reopen();
        assertThat(increment(1)).isEqualTo(first);
        assertThat(readsOf(100, 2)).isZero();
    }
}
