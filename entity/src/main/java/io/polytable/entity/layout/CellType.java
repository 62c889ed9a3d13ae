package io.polytable.entity.layout;

/** The type of a column's cells. */
public enum CellType {
    AVRO,
    /** A 64-bit number that can be incremented. */
    COUNTER,
    RAW_BYTES,
    JSON,
    PROTOBUF
}
