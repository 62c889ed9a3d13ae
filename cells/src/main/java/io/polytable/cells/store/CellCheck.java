package io.polytable.cells.store;

import io.polytable.cells.layout.CellKeys;
import io.polytable.cells.layout.CellRows;
import io.polytable.cells.store.definition.LiveTable;
import io.polytable.frontend.answer.AnswerGate;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.Stripes;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import io.polytable.table.write.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Verifies that every stored row of the cell tables is well-formed in its layout. A repair removes
 * corrupt ones, which would fail every scan that meets them.
 */
public final class CellCheck {
    private static final int FINDINGS_MAX = 1000;

    private final TableStore store;
    private final boolean repairs;
    private final List<Finding> findings = new ArrayList<>();
    private long findingCount;
    private long rowCount;

    /** A corrupt or inconsistent row. */
    public record Finding(TableName table, Bytes key, String problem) {}

    /**
     * The result of a check.
     *
     * @param findings the first findings
     * @param findingCount the number of all findings
     * @param rowCount how many stored rows were verified
     */
    public record Report(List<Finding> findings, long findingCount, long rowCount) {
        public boolean isClean() {
            return findingCount == 0;
        }
    }

    CellCheck(TableStore store, boolean repairs) {
        this.store = store;
        this.repairs = repairs;
    }

    Report run(List<LiveTable> tables) {
        try (Snapshot snapshot = store.snapshot()) {
            for (LiveTable table : tables) {
                check(snapshot, table);
            }
        }
        AnswerGate.settle(store.latest());
        return new Report(List.copyOf(findings), findingCount, rowCount);
    }

    private void check(Snapshot snapshot, LiveTable table) {
        try (Cursor cursor = snapshot.scan(table.physical(), KeyRange.ALL)) {
            while (cursor.next()) {
                rowCount++;
                Bytes key = cursor.key();
                if (CellKeys.isBookkeeping(key)) {
                    continue;
                }
                Optional<String> problem = CellRows.problem(key, cursor.value());
                if (problem.isPresent()) {
                    found(table, key, problem.get());
                    if (repairs) {
                        remove(table, key, cursor.value());
                    }
                }
            }
        }
    }

    private void found(LiveTable table, Bytes key, String problem) {
        findingCount++;
        if (findings.size() < FINDINGS_MAX) {
            findings.add(new Finding(table.spec().name(), key.copy(), problem));
        }
    }

    /** Removes a row only if it has not changed since the check read it. */
    private void remove(LiveTable table, Bytes key, Bytes seen) {
        RowKey rowKey = CellKeys.possiblyCorrupt(key);
        Stripes stripes = store.stripes();
        int stripe = stripes.stripeOf(rowKey.partition());
        stripes.lock(stripe);
        try {
            Optional<Bytes> now = store.read(table.physical(), rowKey);
            if (now.isEmpty() || !now.get().equals(seen)) {
                return;
            }
            store.commit(new Batch().delete(table.physical(), rowKey));
        } finally {
            stripes.unlock(stripe);
        }
    }
}
