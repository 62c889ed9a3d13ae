package io.polytable.cells.store.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.cells.Cell;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.TimeRange;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.Selection;
import io.polytable.cells.store.CellTable;
import io.polytable.cells.store.OpenStores;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a family with one version, a counter keeps exactly one older value stored. */
class CounterVersionsTest {
    private static final Bytes F = Bytes.utf8("f");
    private static final Bytes Q = Bytes.utf8("q");
    private static final Bytes ROW = Bytes.utf8("row");

    @Test
    void olderOnesGoAlsoWhenSomebodyPutsThemBetweenSteps(@TempDir Path directory) {
        try (OpenStores stores = OpenStores.onEngine(directory, InstantSource.system())) {
            CellTable table = stores.cells().create(CellTableSpec.of(new TableName("default", "t"), FamilySpec.of(F)));
            for (int step = 1; step <= 5; step++) {
                increment(table);
                assertThat(stored(table)).isEqualTo(Math.min(step, 2));
            }
            for (int timestamp = 1; timestamp <= 4; timestamp++) {
                table.write(RowWrite.of(ROW, new Edit.Put(F, Q, timestamp, Counters.of(timestamp), Cell.NO_TTL)));
            }
            assertThat(stored(table)).isEqualTo(6);
            increment(table);
            assertThat(stored(table)).isEqualTo(2);
            assertThat(increment(table)).isEqualTo(7);
            assertThat(stored(table)).isEqualTo(2);
        }
    }

    private static long increment(CellTable table) {
        Edit step = new Edit.Increment(F, Q, 1, Cell.LATEST, TimeRange.ALL, Cell.NO_TTL);
        return Counters.read(table.write(RowWrite.of(ROW, step)).cells().get(0));
    }

    private static int stored(CellTable table) {
        return table.get(ROW, Selection.ALL.withMaxVersions(Integer.MAX_VALUE).asRaw())
                .cells()
                .size();
    }
}
