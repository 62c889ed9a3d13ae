package io.polytable.entity.layout;

/** How a stored Avro value references its writer schema. */
public enum SchemaStorage {
    /** By the schema's number in the instance: a few bytes. */
    UID,
    /** By the schema's 16-byte hash. */
    HASH,
    /** Not at all: the column has one permanent writer schema. */
    FINAL
}
