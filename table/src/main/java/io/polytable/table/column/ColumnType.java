package io.polytable.table.column;

/** The types a column can have. The tags are on disk: never changed, never reused. */
public enum ColumnType {
    BYTES(1),
    STRING(2),
    BOOLEAN(3),
    INT(4),
    BIGINT(5),
    DOUBLE(6),
    /** Microseconds since 1970 in UTC. */
    TIMESTAMP(7);

    private final int tag;

    ColumnType(int tag) {
        this.tag = tag;
    }

    public int tag() {
        return tag;
    }
}
