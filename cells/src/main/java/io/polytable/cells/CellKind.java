package io.polytable.cells;

import java.util.Map;

/**
 * The type of a cell: a value, or a delete marker that masks values. The codes are HBase's, on disk and on its wire:
 * never changed, never reused. At equal timestamps the larger code sorts first, so a marker precedes what it masks.
 */
public enum CellKind {
    PUT(4),
    /** Masks the version of its column with exactly its timestamp. */
    DELETE_VERSION(8),
    /** Masks the versions of all columns of its family with exactly its timestamp. */
    DELETE_FAMILY_VERSION(10),
    /** Masks all versions of its column up to its timestamp. */
    DELETE_COLUMN(12),
    /** Masks all cells of its family up to its timestamp. */
    DELETE_FAMILY(14);

    private static final CellKind[] BY_CODE = new CellKind[16];

    static {
        for (CellKind kind : values()) {
            BY_CODE[kind.code] = kind;
        }
    }

    private final int code;

    CellKind(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    public boolean isDelete() {
        return this != PUT;
    }

    /** Whether the marker applies to a whole family; such markers have an empty qualifier. */
    public boolean isOfFamily() {
        return this == DELETE_FAMILY || this == DELETE_FAMILY_VERSION;
    }

    public static CellKind ofCode(int code) {
        if (code < 0 || code >= BY_CODE.length || BY_CODE[code] == null) {
            throw new CellException(CellError.CORRUPT, "Unknown kind of cell", Map.of("code", code));
        }
        return BY_CODE[code];
    }
}
