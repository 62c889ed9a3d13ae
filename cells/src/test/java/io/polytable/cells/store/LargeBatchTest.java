package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.cells.CellError;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.WriteOutcome;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableName;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.Batch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A batch is many writes, each with its own outcome, whatever the store's limit for one commit. */
class LargeBatchTest {
    private static final Bytes F = Bytes.utf8("f");
    private static final int COMMIT_BYTES_MAX = 4_000;

    /** Accepts only small commits, as a store in a small heap does. */
    private static final class SmallStore extends ForwardingStore {
        SmallStore() {
            super(new MemoryStore());
        }

        @Override
        public Commit commit(Batch batch) {
            if (batch.sizeBytes() > COMMIT_BYTES_MAX) {
                throw new StoreException(StoreError.TOO_LARGE, "Batch is larger than the limit");
            }
            return super.commit(batch);
        }
    }

    @Test
    void onlyTheWriteThatIsTooLargeFails() {
        try (SmallStore store = new SmallStore();
                CellStore cells = CellStore.open(store, CellStoreOptions.DEFAULT.withoutBackground())) {
            CellTable table = cells.create(CellTableSpec.of(new TableName("default", "t"), FamilySpec.of(F)));
            List<RowWrite> writes = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                writes.add(put(row(i), i == 7 ? COMMIT_BYTES_MAX : 500));
            }

            List<WriteOutcome> outcomes = table.writeAll(writes);

            for (int i = 0; i < 20; i++) {
                boolean there = !table.get(row(i), Selection.ALL).isEmpty();
                assertThat(there).as("row %d", i).isEqualTo(i != 7);
                assertThat(outcomes.get(i) instanceof WriteOutcome.Done).isEqualTo(there);
            }
            assertThat(outcomes.get(7))
                    .isInstanceOfSatisfying(
                            WriteOutcome.Failed.class,
                            failed -> assertThat(failed.failure().error()).isEqualTo(CellError.TOO_LARGE));
        }
    }

    private static Bytes row(int number) {
        return Bytes.utf8("row" + number);
    }

    private static RowWrite put(Bytes row, int bytes) {
        return RowWrite.of(row, List.of(new Edit.Put(F, Bytes.utf8("q"), 1, Bytes.of(new byte[bytes]), 0)));
    }
}
