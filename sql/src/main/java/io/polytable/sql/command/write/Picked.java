package io.polytable.sql.command.write;

import io.polytable.sql.model.row.StoredRow;
import org.jspecify.annotations.Nullable;

/** A row that a statement is going to change, the values computed from it, and what the tables beside it have there. */
final class Picked {
    private final StoredRow row;
    private final @Nullable Object[] values;
    private final @Nullable Object[] beside;

    Picked(StoredRow row, @Nullable Object[] values, @Nullable Object[] beside) {
        this.row = row;
        this.values = values;
        this.beside = beside;
    }

    StoredRow row() {
        return row;
    }

    @Nullable
    Object[] values() {
        return values;
    }

    @Nullable
    Object[] beside() {
        return beside;
    }
}
