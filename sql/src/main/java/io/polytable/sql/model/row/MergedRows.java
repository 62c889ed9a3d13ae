package io.polytable.sql.model.row;

import io.polytable.table.Direction;
import org.jspecify.annotations.Nullable;

/** Merges rows of the store with flushed rows in key order; for equal keys the row of the store wins. */
public final class MergedRows implements StoredRows {
    private final StoredRows hot;
    private final StoredRows cold;
    private final int sign;
    private @Nullable StoredRow hotRow;
    private @Nullable StoredRow coldRow;
    private @Nullable StoredRow row;
    private boolean begun;

    public MergedRows(StoredRows hot, StoredRows cold, Direction direction) {
        this.hot = hot;
        this.cold = cold;
        sign = direction == Direction.FORWARD ? 1 : -1;
    }

    @Override
    public boolean next() {
        if (!begun) {
            begun = true;
            hotRow = step(hot);
            coldRow = step(cold);
        }
        StoredRow first = hotRow;
        StoredRow second = coldRow;
        if (first == null && second == null) {
            row = null;
            return false;
        }
        int order = first == null
                ? 1
                : second == null
                        ? -1
                        : sign * first.key().bytes().compareTo(second.key().bytes());
        row = order <= 0 ? first : second;
        if (order <= 0) {
            hotRow = step(hot);
        }
        if (order >= 0) {
            coldRow = step(cold);
        }
        return true;
    }

    private static @Nullable StoredRow step(StoredRows rows) {
        return rows.next() ? rows.row() : null;
    }

    @Override
    public StoredRow row() {
        if (row == null) {
            throw new IllegalStateException("There is no row");
        }
        return row;
    }

    @Override
    public void close() {
        hot.close();
        cold.close();
    }
}
