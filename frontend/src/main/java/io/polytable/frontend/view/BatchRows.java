package io.polytable.frontend.view;

import io.polytable.table.column.ColumnBatch;
import io.polytable.table.column.Value;
import java.util.List;

/** Iterates over the rows of batches, one by one. */
final class BatchRows implements View.RowCursor {
    /** Readers that want rows as objects read few. */
    static final int CAPACITY = 64;

    private final View.BatchCursor cursor;
    private final ColumnBatch batch;
    private int at = -1;

    BatchRows(View.BatchCursor cursor, ColumnBatch batch) {
        this.cursor = cursor;
        this.batch = batch;
    }

    @Override
    public boolean next() {
        if (at + 1 < batch.rows()) {
            at++;
            return true;
        }
        at = 0;
        return cursor.next(batch);
    }

    @Override
    public List<Value> row() {
        return batch.columns().stream().map(column -> column.value(at)).toList();
    }

    @Override
    public void close() {
        cursor.close();
    }
}
