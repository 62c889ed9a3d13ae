package io.polytable.cells.request;

import io.polytable.cells.Cell;
import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellKind;
import io.polytable.cells.TimeRange;
import io.polytable.table.Bytes;

/**
 * One change of a {@link RowWrite}. A timestamp of {@link Cell#LATEST} means the store's time, which is the same for
 * all edits of a row write.
 */
public sealed interface Edit {
    /** Writes a version without reading; replaces a version with the same timestamp. */
    record Put(Bytes family, Bytes qualifier, long timestamp, Bytes value, long ttlMillis) implements Edit {
        public Put(Bytes family, Bytes qualifier, Bytes value) {
            this(family, qualifier, Cell.LATEST, value, Cell.NO_TTL);
        }

        public Put(Bytes family, Bytes qualifier, long timestamp, Bytes value) {
            this(family, qualifier, timestamp, value, Cell.NO_TTL);
        }

        /** The cell it writes at the given store time. */
        public Cell at(Bytes row, long nowMillis) {
            long time = timestamp == Cell.LATEST ? nowMillis : timestamp;
            return new Cell(row, family, qualifier, time, CellKind.PUT, value, ttlMillis);
        }
    }

    /**
     * Writes a delete marker. {@link CellKind#DELETE_VERSION} at {@link Cell#LATEST} deletes the newest version, so it
     * is the only marker that reads first. Family markers have no qualifier.
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
     * Adds to the newest version of a column, eight big-endian bytes, or sets it to the amount if there is none. The
     * new version is newer than the one it read, whatever the clock says; the timestamp applies only if there was
     * none.
     *
     * @param times the versions that it considers
     */
    record Increment(Bytes family, Bytes qualifier, long amount, long timestamp, TimeRange times, long ttlMillis)
            implements Edit {
        public Increment(Bytes family, Bytes qualifier, long amount) {
            this(family, qualifier, amount, Cell.LATEST, TimeRange.ALL, Cell.NO_TTL);
        }
    }

    /** Appends bytes to the newest version of a column, or creates it with them; timestamps as for an increment. */
    record Append(Bytes family, Bytes qualifier, Bytes suffix, long timestamp, TimeRange times, long ttlMillis)
            implements Edit {
        public Append(Bytes family, Bytes qualifier, Bytes suffix) {
            this(family, qualifier, suffix, Cell.LATEST, TimeRange.ALL, Cell.NO_TTL);
        }
    }
}
