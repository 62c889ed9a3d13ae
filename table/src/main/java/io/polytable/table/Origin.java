package io.polytable.table;

/**
 * Why a commit was made. A follower of the change feed that shows what clients see treats the removal of a row that is
 * still readable elsewhere differently from a delete. The log keeps the number (docs/formats/log.md).
 */
public enum Origin {
    /** A write of a client. */
    CLIENT(0),
    /** Rows that move between the store and files: what clients see does not change. */
    FLUSH(1),
    /** Removal of rows that expired, exceed a table's limit or are no longer visible to anyone. */
    UPKEEP(2);

    private final int code;

    Origin(int code) {
        this.code = code;
    }

    /** The number in the log, below four and never reused. */
    public int code() {
        return code;
    }

    /**
     * The origin of a number in the log.
     *
     * @throws StoreException {@link StoreError#CORRUPT} for an unknown number
     */
    public static Origin of(int code) {
        return switch (code) {
            case 0 -> CLIENT;
            case 1 -> FLUSH;
            case 2 -> UPKEEP;
            default -> throw new StoreException(StoreError.CORRUPT, "Unknown origin of a commit");
        };
    }
}
