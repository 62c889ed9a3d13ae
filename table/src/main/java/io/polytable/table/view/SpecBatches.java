package io.polytable.table.view;

import io.polytable.table.Column;
import io.polytable.table.ColumnBatch;
import io.polytable.table.ColumnVector;
import io.polytable.table.Cursor;
import io.polytable.table.codec.KeyCodec;
import io.polytable.table.codec.RowCodec;
import io.polytable.table.codec.ValueCodec;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of a typed table, decoded from the cursor's slices directly into vectors. */
final class SpecBatches implements TableView.BatchCursor {
    private final RowCodec codec;
    private final List<String> columns;
    private final RangeFilters filters;
    private final KeyCodec.VectorReader filtered;
    private final Cursor cursor;
    private long left;

    private @Nullable ColumnBatch bound;
    private KeyCodec.VectorReader keys;
    private ValueCodec.VectorReader values;

    SpecBatches(RowCodec codec, ViewScan scan, RangeFilters filters, Cursor cursor) {
        this.codec = codec;
        columns = scan.columns();
        left = scan.limit();
        this.filters = filters;
        this.cursor = cursor;
        filtered = codec.keys()
                .into(codec.keys().columns().stream()
                        .map(column -> Optional.of(filters.columns().indexOf(column))
                                .filter(index -> index >= 0)
                                .map(filters::vector))
                        .toList());
        keys = filtered;
        values = codec.values().into(List.of());
    }

    @Override
    public boolean next(ColumnBatch batch) {
        bind(batch);
        batch.clear();
        while (left > 0 && !batch.isFull() && cursor.next()) {
            if (filters.isEmpty() || passes()) {
                keys.read(cursor.keySlice());
                if (!values.wantsNothing()) {
                    values.read(cursor.valueSlice());
                }
                batch.endRow();
                left--;
            }
        }
        return batch.rows() > 0;
    }

    private boolean passes() {
        filters.clear();
        filtered.read(cursor.keySlice());
        return filters.pass();
    }

    /** Callers mostly pass the same batch again. */
    private void bind(ColumnBatch batch) {
        if (bound != batch) {
            keys = codec.keys().into(vectors(codec.keys().columns(), batch));
            values = codec.values().into(vectors(codec.values().columns(), batch));
            bound = batch;
        }
    }

    private List<Optional<ColumnVector>> vectors(List<Column> of, ColumnBatch batch) {
        return of.stream()
                .map(column -> Optional.of(columns.indexOf(column.name()))
                        .filter(index -> index >= 0)
                        .map(batch::column))
                .toList();
    }

    @Override
    public void close() {
        cursor.close();
    }
}
