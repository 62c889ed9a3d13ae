package io.polytable.sql.command;

import io.polytable.sql.model.StoredRow;
import org.jspecify.annotations.Nullable;

/** A row that a statement is going to change, and the values that it computed from it. */
final class Picked {
    private final StoredRow row;
    private final @Nullable Object[] values;

    Picked(StoredRow row, @Nullable Object[] values) {
        this.row = row;
        this.values = values;
    }

    StoredRow row() {
        return row;
    }

    @Nullable
    Object[] values() {
        return values;
    }
}
