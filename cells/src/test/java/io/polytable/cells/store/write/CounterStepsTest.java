package io.polytable.cells.store.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.Cell;
import io.polytable.cells.CellException;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.TimeRange;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.Selection;
import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellStoreOptions;
import io.polytable.cells.store.CellTable;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.Batch;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A counter with a cached step continues from the stored value, whatever happened to its row. */
class CounterStepsTest {
    private static final Bytes F = Bytes.utf8("f");
    private static final Bytes Q = Bytes.utf8("q");
    private static final Bytes OTHER = Bytes.utf8("r");
    private static final Bytes ROW = Bytes.utf8("row");
    private static final Edit STEP = new Edit.Increment(F, Q, 1);
    private static final long FUTURE = 1L << 50;

    private static final class FailingStore extends ForwardingStore {
        private boolean fails;
        private long scans;

        FailingStore() {
            super(new MemoryStore());
        }

        @Override
        public Cursor scan(Table scanned, KeyRange range, Direction direction, long limit) {
            scans++;
            return super.scan(scanned, range, direction, limit);
        }

        @Override
        public Commit commit(Batch batch) {
            if (fails) {
                throw new StoreException(StoreError.NO_ROOM, "There is no space");
            }
            return super.commit(batch);
        }
    }

    private final FailingStore store = new FailingStore();
    private final AtomicLong now = new AtomicLong(System.currentTimeMillis());
    private final CellStore cells = CellStore.open(
            store, CellStoreOptions.DEFAULT.withoutBackground().withClock(() -> Instant.ofEpochMilli(now.get())));
    private final CellTable table = cells.create(CellTableSpec.of(new TableName("default", "t"), FamilySpec.of(F)));

    @AfterEach
    void close() {
        cells.close();
        store.close();
    }

    private void stepsTo(long... values) {
        for (long value : values) {
            Cell after = table.write(RowWrite.of(ROW, STEP)).cells().get(0);
            assertThat(Counters.read(after)).isEqualTo(value);
        }
    }

    private static Edit put(long value) {
        return new Edit.Put(F, Q, Counters.of(value));
    }

    @Test
    void aPutIsSeen() {
        stepsTo(1, 2, 3);
        table.write(RowWrite.of(ROW, put(10)));
        stepsTo(11, 12, 13);
        table.write(RowWrite.of(ROW, new Edit.Put(F, OTHER, Counters.of(0)), put(20)));
        stepsTo(21, 22);
    }

    @Test
    void aDeleteIsSeen() {
        stepsTo(1, 2, 3);
        table.write(RowWrite.of(ROW, Edit.Delete.column(F, Q, Cell.LATEST)));
        stepsTo(1, 2, 3);
        table.write(RowWrite.of(ROW, new Edit.DeleteRow(Cell.LATEST)));
        stepsTo(1, 2, 3);
    }

    @Test
    void otherWritesOfABatchAreSeen() {
        stepsTo(1, 2, 3);
        table.writeAll(List.of(RowWrite.of(ROW, STEP), RowWrite.of(ROW, put(50))));
        stepsTo(51, 52);
        table.writeAll(List.of(RowWrite.of(ROW, put(7)), RowWrite.of(ROW, STEP)));
        stepsTo(9, 10);
        table.writeAll(List.of(RowWrite.of(ROW, STEP), RowWrite.of(ROW, STEP)));
        stepsTo(13, 14);
        table.writeAll(List.of(RowWrite.of(ROW, STEP), RowWrite.of(ROW, new Edit.DeleteRow(Cell.LATEST))));
        stepsTo(1, 2);
    }

    @Test
    void aSecondColumnIsSeen() {
        stepsTo(1, 2);
        table.write(RowWrite.of(ROW, new Edit.Increment(F, OTHER, 5), STEP));
        stepsTo(4, 5);
        table.write(RowWrite.of(ROW, new Edit.Increment(F, OTHER, 5)));
        stepsTo(6, 7);
        assertThat(Counters.read(
                        table.get(ROW, Selection.column(F, OTHER)).cells().get(0)))
                .isEqualTo(10);
    }

    private void appendsTo(String... values) {
        for (String value : values) {
            Bytes last = Bytes.utf8(value.substring(value.length() - 1));
            Cell after = table.write(RowWrite.of(ROW, new Edit.Append(F, Q, last)))
                    .cells()
                    .get(0);
            assertThat(after.value()).isEqualTo(Bytes.utf8(value));
        }
    }

    @Test
    void anAppendGoesOnFromWhatIsStored() {
        appendsTo("a", "ab", "abc");
        table.write(RowWrite.of(ROW, new Edit.Put(F, Q, Bytes.utf8("x"))));
        appendsTo("xa", "xab", "xabc");
        table.write(RowWrite.of(ROW, new Edit.DeleteRow(Cell.LATEST)));
        appendsTo("a", "ab", "abc");
        store.fails = true;
        assertThatThrownBy(() -> appendsTo("abcd")).isInstanceOf(CellException.class);
        store.fails = false;
        appendsTo("abcd", "abcde");
        assertThatThrownBy(() -> stepsTo(1)).isInstanceOf(CellException.class);
        appendsTo("abcdef");
    }

    @Test
    void whatIsRememberedIsNotReadAgain() {
        appendsTo("a", "ab", "abc");
        long scans = store.scans;
        appendsTo("abcd", "abcde");
        assertThat(store.scans).isEqualTo(scans);
        table.write(RowWrite.of(ROW, new Edit.Append(F, Q, Bytes.of(new byte[300]))));
        long scansBefore = store.scans;
        table.write(RowWrite.of(ROW, new Edit.Append(F, Q, Bytes.of(new byte[1]))));
        assertThat(store.scans).as("a large value is not kept").isGreaterThan(scansBefore);
    }

    @Test
    void aMarkerOfATimeToComeIsSeen() {
        table.write(RowWrite.of(ROW, Edit.Delete.version(F, Q, FUTURE)));
        table.write(RowWrite.of(ROW, new Edit.Put(F, Q, FUTURE - 1, Counters.of(5))));
        // The next version has the time that the marker names.
        stepsTo(6, 6, 6);
    }

    @Test
    void whatWasNotCommittedDidNotHappen() {
        stepsTo(1, 2, 3);
        store.fails = true;
        assertThatThrownBy(() -> stepsTo(4)).isInstanceOf(CellException.class);
        store.fails = false;
        stepsTo(4, 5);
        store.fails = true;
        table.writeAll(List.of(RowWrite.of(ROW, STEP), RowWrite.of(ROW, STEP)));
        store.fails = false;
        stepsTo(6, 7);
    }

    @Test
    void aTableThatIsEmptiedIsSeen() {
        stepsTo(1, 2, 3);
        cells.truncate(table.name());
        stepsTo(1, 2);
        cells.alter(table.spec().withFamilies(List.of(FamilySpec.of(F).withVersions(0, 3))));
        stepsTo(3, 4, 5);
        assertThat(table.get(ROW, Selection.ALL.withMaxVersions(3)).cells()).hasSize(3);
    }

    @Test
    void whatWentWhileTheTableWasAnotherIsSeen() {
        CellTableSpec before = table.spec();
        stepsTo(1, 2, 3);
        now.addAndGet(10_000);
        cells.alter(before.withFamilies(List.of(FamilySpec.of(F).withTtlMillis(1_000))));
        cells.compact(table.name(), true);
        cells.alter(before);
        stepsTo(1, 2);
    }

    @Test
    void whatHasExpiredIsSeen() {
        cells.alter(table.spec().withFamilies(List.of(FamilySpec.of(F).withTtlMillis(1_000))));
        stepsTo(1, 2, 3);
        now.addAndGet(10_000);
        stepsTo(1, 2);
        cells.alter(table.spec().withFamilies(List.of(FamilySpec.of(F))));
        stepsTo(3);
        table.write(RowWrite.of(ROW, new Edit.Increment(F, Q, 1, Cell.LATEST, TimeRange.ALL, 1_000)));
        stepsTo(5, 6);
        now.addAndGet(10_000);
        stepsTo(1);
    }
}
