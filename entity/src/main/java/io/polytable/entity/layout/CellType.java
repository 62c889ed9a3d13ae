package io.polytable.entity.layout;

/** What the cells of a column are. */
public enum CellType {
    AVRO,
    /** A 64-bit number that can be incremented. */
    COUNTER,
    RAW_BYTES,
    JSON,
    PROTOBUF
}
