package io.polytable.table;

/** The purpose of a table, by which an engine is tuned. The tags are on disk: never changed, never reused. */
public enum TableKind {
    /** Rows of one user each. */
    USER(1, "user_table"),
    SHARED(2, "shared_table"),
    /** Ephemeral rows by time. */
    STREAM(3, "stream_table"),
    SYSTEM(4, "system_table"),
    /** Rows that a protocol's frontend lays out itself and shows through views. */
    FACE(5, "face_table");

    private final int tag;
    private final String family;

    TableKind(int tag, String family) {
        this.tag = tag;
        this.family = family;
    }

    public int tag() {
        return tag;
    }

    /** The first part of the name of the table's column family. */
    public String family() {
        return family;
    }
}
