package io.polytable.sql.command.write;

import io.polytable.sql.model.row.StoredRow;
import org.jspecify.annotations.Nullable;

/** A row to change, its computed new values, and the values of the joined tables of FROM or USING. */
final class PickedRow {
    private final StoredRow row;
    private final @Nullable Object[] values;
    private final @Nullable Object[] fromValues;

    PickedRow(StoredRow row, @Nullable Object[] values, @Nullable Object[] fromValues) {
        this.row = row;
        this.values = values;
        this.fromValues = fromValues;
    }

    StoredRow row() {
        return row;
    }

    @Nullable
    Object[] values() {
        return values;
    }

    @Nullable
    Object[] fromValues() {
        return fromValues;
    }
}
