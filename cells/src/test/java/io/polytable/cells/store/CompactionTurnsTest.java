package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.Selection;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.MemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which table's turn it is in background compaction. */
class CompactionTurnsTest {
    private static final Bytes F = Bytes.utf8("f");
    private static final int CELLS_PER_STEP = 10;

    private final ManualClock clock = new ManualClock();
    private final TableStore store = new MemoryStore();
    private final CellStore cells = CellStore.open(
            store, CellStoreOptions.DEFAULT.withClock(clock).withCompaction(Duration.ZERO, CELLS_PER_STEP));

    @AfterEach
    void close() {
        cells.close();
        store.close();
    }

    private CellTable created(String name) {
        return cells.create(CellTableSpec.of(new TableName("default", name), FamilySpec.of(F)));
    }

    private static void put(CellTable table, String row, int versions) {
        for (int i = 1; i <= versions; i++) {
            table.write(RowWrite.of(Bytes.utf8(row), new Edit.Put(F, F, i, Bytes.utf8("v" + i))));
        }
    }

    private static int stored(CellTable table, String row) {
        return table.get(Bytes.utf8(row), Selection.ALL.withMaxVersions(99).asRaw())
                .cells()
                .size();
    }

    @Test
    void tablesThatAreNotDueTakeNoTurn() {
        CellTable busy = created("t5");
        for (int i = 0; i < 10; i++) {
            if (i != 5) {
                created("t" + i);
            }
        }
        cells.runBackgroundOnce();
        clock.advance(Duration.ofMinutes(2));
        put(busy, "row", 5);
        cells.runBackgroundTurn();
        assertThat(stored(busy, "row")).isEqualTo(1);
    }

    @Test
    void aTableThatIsCreatedAgainIsSweptFromItsStart() {
        CellTable first = created("t");
        for (int i = 0; i < 2 * CELLS_PER_STEP; i++) {
            put(first, "row" + (char) ('a' + i), 1);
        }
        cells.runBackgroundTurn();
        cells.drop(first.name());
        CellTable second = created("t");
        put(second, "rowa", 5);
        cells.runBackgroundTurn();
        assertThat(stored(second, "rowa")).isEqualTo(1);
    }
}
