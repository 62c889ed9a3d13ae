package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.RowRange;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.StepLimit;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A scanner that stays open for long does not block other clients. */
class IdleScannerTest {
    private static final Bytes F = Bytes.utf8("f");
    private static final Bytes ROW = Bytes.utf8("row");

    /** Many times what the store keeps in memory. */
    private static final int WRITES = 1_500;

    private static final int VALUE_BYTES = 64 << 10;

    @TempDir
    Path directory;

    @Test
    void aScanInsideARowDoesNotKeepRowsInMemory() throws Exception {
        try (OpenStores stores = OpenStores.onEngine(directory, InstantSource.system())) {
            CellTable table = stores.cells().create(CellTableSpec.of(new TableName("default", "t"), FamilySpec.of(F)));
            for (String qualifier : new String[] {"a", "b", "c"}) {
                table.write(RowWrite.of(ROW, new Edit.Put(F, Bytes.utf8(qualifier), ROW)));
            }
            ScanRequest request = ScanRequest.of(new RowRange(ROW, RowRange.after(ROW)), Selection.ALL)
                    .withBatchCells(1);
            try (CellScanner idle = table.scan(request)) {
                assertThat(idle.next(StepLimit.of(1, 1 << 20)).rows()).hasSize(1);
                for (int i = 0; i < WRITES; i++) {
                    Edit.Put put = new Edit.Put(F, F, Bytes.of(new byte[VALUE_BYTES]));
                    table.writeAsync(RowWrite.of(Bytes.utf8("other" + i), put)).get(60, TimeUnit.SECONDS);
                }
                assertThat(idle.next(StepLimit.of(5, 1 << 20)).rows()).hasSize(2);
            }
        }
    }
}
