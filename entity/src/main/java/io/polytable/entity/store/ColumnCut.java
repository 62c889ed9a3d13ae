package io.polytable.entity.store;

import io.polytable.entity.filter.Qualifiers;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesWriter;
import org.jspecify.annotations.Nullable;

/**
 * Decides which cells of a family a query selects, in order, newest first. For stores that read more than requested,
 * and for filters inside stores.
 */
public final class ColumnCut {
    /** The decision for a cell. */
    public enum Verdict {
        TAKE,
        SKIP,
        /** Neither this nor an older version of the column. */
        NEXT_COLUMN,
        /** Nothing more of the family. */
        DONE
    }

    private final ColumnQuery query;
    private @Nullable String column;
    private int versions;
    private int taken;

    public ColumnCut(ColumnQuery query) {
        this.query = query;
    }

    public boolean isDone() {
        return taken >= query.limit();
    }

    public Verdict next(String qualifier, long timestamp) {
        if (isDone()) {
            return Verdict.DONE;
        }
        if (!qualifier.equals(column)) {
            column = qualifier;
            versions = 0;
            if (query.qualifiers().isPresent() && !query.qualifiers().get().contains(qualifier)) {
                versions = Integer.MAX_VALUE;
            }
            if (query.filter().isPresent() && !query.filter().get().accepts(qualifier)) {
                versions = Integer.MAX_VALUE;
            }
        }
        if (versions >= query.maxVersions() || timestamp < query.times().min()) {
            return Verdict.NEXT_COLUMN;
        }
        if (!query.times().contains(timestamp)) {
            return Verdict.SKIP;
        }
        versions++;
        if (query.after().isPresent() && !isAfter(query.after().get(), qualifier, timestamp)) {
            return Verdict.SKIP;
        }
        taken++;
        return Verdict.TAKE;
    }

    private static boolean isAfter(CellPlace place, String qualifier, long timestamp) {
        int order = Qualifiers.compare(qualifier, place.qualifier());
        return order > 0 || (order == 0 && timestamp < place.timestamp());
    }

    /** The value as the query wants it. */
    public Bytes shown(Bytes value) {
        return switch (query.values()) {
            case FULL -> value;
            case NONE -> Bytes.EMPTY;
            case SIZE -> new BytesWriter(Long.BYTES).i64(value.length()).toBytes();
        };
    }
}
