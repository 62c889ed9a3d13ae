package io.polytable.cells.request;

import io.polytable.cells.Cell;
import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellKind;
import io.polytable.cells.TimeRange;
import io.polytable.table.Bytes;

/**
 * One change of a {@link RowWrite}. A timestamp of {@link Cell#LATEST} stands for the store's time, which is one and the
 * same for all edits of a row write.
 */
public sealed interface Edit {
    /** Writes a version, blindly: a version with the same timestamp is replaced. */
    record Put(Bytes family, Bytes qualifier, long timestamp, Bytes value, long ttlMillis) implements Edit {
        public Put(Bytes family, Bytes qualifier, Bytes value) {
            this(family, qualifier, Cell.LATEST, value, Cell.NO_TTL);
        }

        public Put(Bytes family, Bytes qualifier, long timestamp, Bytes value) {
            this(family, qualifier, timestamp, value, Cell.NO_TTL);
        }

        /** The version it writes to the row, when the store's time is this. */
        public Cell at(Bytes row, long nowMillis) {
            long time = timestamp == Cell.LATEST ? nowMillis : timestamp;
            return new Cell(row, family, qualifier, time, CellKind.PUT, value, ttlMillis);
        }
    }

    /**
     * Writes a delete marker. {@link CellKind#DELETE_VERSION} at {@link Cell#LATEST} deletes the newest version there is,
     * which makes it the one marker that must read first. Family markers take no qualifier.
     */
    record Delete(CellKind kind, Bytes family, Bytes qualifier, long timestamp) implements Edit {
        public Delete {
            if (!kind.isDelete() || (kind.isOfFamily() && !qualifier.isEmpty())) {
                throw new CellException(CellError.BAD_REQUEST, "Not a delete marker");
            }
        }

        /** One version. */
        public static Delete version(Bytes family, Bytes qualifier, long timestamp) {
            return new Delete(CellKind.DELETE_VERSION, family, qualifier, timestamp);
        }

        /** All versions of a column up to the timestamp. */
        public static Delete column(Bytes family, Bytes qualifier, long timestamp) {
            return new Delete(CellKind.DELETE_COLUMN, family, qualifier, timestamp);
        }

        /** All cells of a family up to the timestamp. */
        public static Delete family(Bytes family, long timestamp) {
            return new Delete(CellKind.DELETE_FAMILY, family, Bytes.EMPTY, timestamp);
        }

        /** All cells of a family with exactly the timestamp. */
        public static Delete familyVersion(Bytes family, long timestamp) {
            return new Delete(CellKind.DELETE_FAMILY_VERSION, family, Bytes.EMPTY, timestamp);
        }
    }

    /** A {@link CellKind#DELETE_FAMILY} marker in every family of the table. */
    record DeleteRow(long timestamp) implements Edit {}

    /**
     * Adds to the newest version of a column, eight big-endian bytes, or starts it with the amount. The new version is
     * later than the one it read, whatever the clock says; the timestamp counts only where there was none.
     *
     * @param times which versions it looks at
     */
    record Increment(Bytes family, Bytes qualifier, long amount, long timestamp, TimeRange times, long ttlMillis)
            implements Edit {
        public Increment(Bytes family, Bytes qualifier, long amount) {
            this(family, qualifier, amount, Cell.LATEST, TimeRange.ALL, Cell.NO_TTL);
        }
    }

    /** Puts bytes behind the newest version of a column, or starts it with them; timestamps as for an increment. */
    record Append(Bytes family, Bytes qualifier, Bytes suffix, long timestamp, TimeRange times, long ttlMillis)
            implements Edit {
        public Append(Bytes family, Bytes qualifier, Bytes suffix) {
            this(family, qualifier, suffix, Cell.LATEST, TimeRange.ALL, Cell.NO_TTL);
        }
    }
}
