package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellLimits;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.request.Condition;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.Nonce;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.WriteOutcome;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Appending a few bytes to large values produces large ones, so the produced values are bounded, not only the request.
 */
class ComputedBytesTest {
    private static final Bytes F = Bytes.utf8("f");
    private static final Bytes ONE = Bytes.utf8("1");
    private static final int COMMIT_BYTES = 1 << 20;

    /** Remembers its largest commit. */
    private static final class WatchedStore extends ForwardingStore {
        private long largest;
        private long scans;

        WatchedStore() {
            super(new MemoryStore());
        }

        @Override
        public Cursor scan(Table scanned, KeyRange range, Direction direction, long limit) {
            scans++;
            return super.scan(scanned, range, direction, limit);
        }

        @Override
        public Commit commit(Batch batch) {
            largest = Math.max(largest, batch.sizeBytes());
            return super.commit(batch);
        }
    }

    private final WatchedStore store = new WatchedStore();
    private final CellStore cells = CellStore.open(store, CellStoreOptions.DEFAULT.withoutBackground());
    private final CellTable table = cells.create(CellTableSpec.of(new TableName("default", "t"), FamilySpec.of(F)));

    @AfterEach
    void close() {
        cells.close();
        store.close();
    }

    private static Bytes name(int number) {
        return Bytes.utf8("n" + number);
    }

    private static List<RowWrite> appends(int rows) {
        List<RowWrite> writes = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            writes.add(RowWrite.of(name(i), new Edit.Append(F, F, ONE)));
        }
        return writes;
    }

    @Test
    void whatOneWriteAppendsToIsBounded() {
        int length = (int) Math.min(CellLimits.VALUE_BYTES_MAX / 2, CellLimits.COMPUTED_BYTES_MAX / 3);
        int columns = (int) (CellLimits.COMPUTED_BYTES_MAX / length) + 1;
        List<Edit> appends = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            table.write(RowWrite.of(F, new Edit.Put(F, name(i), Bytes.of(new byte[length]))));
            appends.add(new Edit.Append(F, name(i), ONE));
        }
        table.write(RowWrite.of(F, appends.subList(2, columns)));

        assertThatThrownBy(() -> table.write(RowWrite.of(F, appends)))
                .isInstanceOfSatisfying(
                        CellException.class,
                        refused -> assertThat(refused.error()).isEqualTo(CellError.TOO_LARGE));
        Selection first = Selection.column(F, name(0));
        assertThat(table.get(F, first).cells().get(0).value().length()).isEqualTo(length);
    }

    @Test
    void aBatchOfSmallAppendsToLargeValuesIsSeveralCommits() {
        for (int i = 0; i < 10; i++) {
            table.write(RowWrite.of(name(i), new Edit.Put(F, F, Bytes.of(new byte[COMMIT_BYTES / 2]))));
        }
        store.largest = 0;

        assertThat(table.writeAll(appends(10))).allMatch(WriteOutcome.Done.class::isInstance);
        assertThat(store.largest).isLessThan(2 * COMMIT_BYTES);
        for (int i = 0; i < 10; i++) {
            assertThat(table.get(name(i), Selection.ALL).cells().get(0).value().length())
                    .isEqualTo(COMMIT_BYTES / 2 + 1);
        }
    }

    @Test
    void whatAnswersTooMuchIsNotMade() {
        List<RowWrite> writes = appends(20);
        writes.add(RowWrite.of(name(20), new Edit.Put(F, F, ONE)));
        writes.add(RowWrite.of(name(21), new Edit.Append(F, F, ONE)).withoutCells());

        List<WriteOutcome> outcomes =
                table.writeAllAsync(writes, new AtomicLong(1_000)).join();

        assertThat(outcomes.get(0)).isInstanceOf(WriteOutcome.Done.class);
        assertThat(outcomes.get(19))
                .isInstanceOfSatisfying(
                        WriteOutcome.Failed.class,
                        failed -> assertThat(failed.failure().error()).isEqualTo(CellError.ANSWERED_ENOUGH));
        for (int i = 0; i < writes.size(); i++) {
            boolean there = !table.get(name(i), Selection.ALL).isEmpty();
            assertThat(outcomes.get(i) instanceof WriteOutcome.Done)
                    .as("row %d", i)
                    .isEqualTo(there);
        }
        assertThat(outcomes.subList(20, 22)).allMatch(WriteOutcome.Done.class::isInstance);
    }

    /** The calling thread is an event loop with other clients to serve. */
    @Test
    void whatDependsOnALargeValueIsNotDoneAtOnce() {
        Bytes large = Bytes.of(new byte[COMMIT_BYTES]);
        table.write(RowWrite.of(name(0), new Edit.Put(F, F, large)));
        table.write(RowWrite.of(name(1), new Edit.Put(F, F, ONE)));
        RowWrite append = RowWrite.of(name(0), new Edit.Append(F, F, ONE)).with(new Nonce(1, 1));
        RowWrite checked = RowWrite.of(name(0), new Edit.Put(F, ONE, ONE))
                .when(new Condition.Compares(F, F, Condition.Relation.EQUAL, large));

        assertThat(table.tryWriteAsync(append)).isEmpty();
        assertThat(table.tryWriteAsync(checked)).isEmpty();
        assertThat(table.tryWriteAsync(RowWrite.of(name(1), new Edit.Append(F, F, ONE))))
                .isPresent();

        assertThat(table.get(name(0), Selection.ALL).cells().get(0).value()).isEqualTo(large);
        assertThat(table.write(append).cells().get(0).value().length()).isEqualTo(COMMIT_BYTES + 1);
    }

    /** A value of 64 MB takes long to read, not only to rewrite. */
    @Test
    void aRowWithALargeValueIsReadOnceToFindThatOut() {
        table.write(RowWrite.of(name(0), new Edit.Put(F, F, Bytes.of(new byte[COMMIT_BYTES]))));
        RowWrite append = RowWrite.of(name(0), new Edit.Append(F, F, ONE));
        assertThat(table.tryWriteAsync(append)).isEmpty();
        long scans = store.scans;
        assertThat(table.tryWriteAsync(append)).isEmpty();
        assertThat(store.scans).isEqualTo(scans);
    }

    @Test
    void whatReadsManyColumnsIsNotDoneAtOnce() {
        List<Edit> increments = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            increments.add(new Edit.Increment(F, name(i), 1));
        }
        assertThat(table.tryWriteAsync(RowWrite.of(F, increments))).isEmpty();
        assertThat(table.tryWriteAsync(RowWrite.of(F, increments.subList(0, 3))))
                .isPresent();
    }
}
