package io.polytable.cells.store.write;

import io.polytable.cells.Cell;
import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellLimits;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.table.Bytes;
import java.util.Map;

/** Validates row writes before they are executed. */
public final class WriteChecks {
    private WriteChecks() {}

    /** Does not check the families of a conditional write: as in HBase, they matter only if the condition holds. */
    static void check(CellTableSpec spec, RowWrite write) {
        checkRow(write.row());
        if (write.edits().size() > CellLimits.EDITS_PER_ROW_WRITE_MAX) {
            throw tooLarge("A row write has too many edits", write.edits().size());
        }
        if (sizeBytes(write) > CellLimits.BATCH_BYTES_MAX) {
            throw new CellException(CellError.TOO_LARGE, "A row write is too large");
        }
        for (Edit edit : write.edits()) {
            check(edit);
        }
        if (write.condition().isEmpty()) {
            checkFamilies(spec, write);
        }
    }

    static void checkFamilies(CellTableSpec spec, RowWrite write) {
        for (Edit edit : write.edits()) {
            if (edit instanceof Edit.Put put) {
                checkFamily(spec, put.family());
            } else if (edit instanceof Edit.Delete delete) {
                checkFamily(spec, delete.family());
            } else if (edit instanceof Edit.Increment increment) {
                checkFamily(spec, increment.family());
            } else if (edit instanceof Edit.Append append) {
                checkFamily(spec, append.family());
            }
        }
    }

    /** The approximate size of a write's values. */
    static long sizeBytes(RowWrite write) {
        long bytes = 0;
        for (Edit edit : write.edits()) {
            bytes += 64;
            if (edit instanceof Edit.Put put) {
                bytes += put.value().length();
            } else if (edit instanceof Edit.Append append) {
                bytes += append.suffix().length();
            }
        }
        return bytes;
    }

    public static void checkRow(Bytes row) {
        if (row.isEmpty()) {
            throw new CellException(CellError.BAD_REQUEST, "A row key is empty");
        }
        if (row.length() > CellLimits.ROW_BYTES_MAX) {
            throw tooLarge("A row key is too long", row.length());
        }
    }

    private static void check(Edit edit) {
        if (edit instanceof Edit.Put put) {
            checkQualifier(put.qualifier());
            checkValue(put.value().length());
            checkTimes(put.timestamp(), put.ttlMillis());
        } else if (edit instanceof Edit.Delete delete) {
            checkQualifier(delete.qualifier());
            checkTimes(delete.timestamp(), Cell.NO_TTL);
        } else if (edit instanceof Edit.DeleteRow delete) {
            checkTimes(delete.timestamp(), Cell.NO_TTL);
        } else if (edit instanceof Edit.Increment increment) {
            checkQualifier(increment.qualifier());
            checkTimes(increment.timestamp(), increment.ttlMillis());
        } else if (edit instanceof Edit.Append append) {
            checkQualifier(append.qualifier());
            checkValue(append.suffix().length());
            checkTimes(append.timestamp(), append.ttlMillis());
        }
    }

    private static void checkFamily(CellTableSpec spec, Bytes family) {
        if (spec.family(family).isEmpty()) {
            throw new CellException(
                    CellError.NO_SUCH_FAMILY,
                    "The table has no such family",
                    Map.of("table", spec.name(), "family", family));
        }
    }

    private static void checkQualifier(Bytes qualifier) {
        if (qualifier.length() > CellLimits.QUALIFIER_BYTES_MAX) {
            throw tooLarge("A qualifier is too long", qualifier.length());
        }
    }

    static void checkValue(long length) {
        if (length > CellLimits.VALUE_BYTES_MAX) {
            throw tooLarge("A value is too large", length);
        }
    }

    private static void checkTimes(long timestamp, long ttlMillis) {
        if (timestamp < 0 || ttlMillis < 0) {
            throw new CellException(
                    CellError.BAD_REQUEST, "A time is negative", Map.of("timestamp", timestamp, "ttl", ttlMillis));
        }
    }

    static CellException tooLarge(String text, long size) {
        return new CellException(CellError.TOO_LARGE, text, Map.of("size", size));
    }
}
