package io.polytable.sql.model.row;

import io.polytable.table.RowKey;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A row of a table: one value per column, and the system columns. */
public final class StoredRow {
    private final RowKey key;
    private final @Nullable Object[] values;
    private final Instant updated;
    private final boolean deleted;

    public StoredRow(RowKey key, @Nullable Object[] values, Instant updated, boolean deleted) {
        this.key = key;
        this.values = values;
        this.updated = updated;
        this.deleted = deleted;
    }

    public RowKey key() {
        return key;
    }

    /** In column order; callers must not modify them. */
    public @Nullable Object[] values() {
        return values;
    }

    public Instant updated() {
        return updated;
    }

    public boolean isDeleted() {
        return deleted;
    }

    /** Whether the other is the same version of the same row. */
    public boolean isSame(StoredRow other) {
        return key.bytes().equals(other.key.bytes())
                && updated.equals(other.updated)
                && deleted == other.deleted
                && Arrays.equals(values, other.values);
    }
}
