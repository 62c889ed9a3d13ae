package io.polytable.cells;

/** How a primary-key table stores the cells of a cell table. The codes are on disk. See docs/formats/cells.md. */
public enum CellLayout {
    /** A row for each cell: blind writes, rows of any width. */
    CELL(1),
    /** A row for each row key with one BYTES column for each family: readable as a table, every write reads first. */
    FAMILY(2);

    private final int code;

    CellLayout(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
