package io.polytable.entity.layout;

/** How a stored Avro value names the schema that it was written with. */
public enum SchemaStorage {
    /** By the number that the instance gave the schema: a few bytes. */
    UID,
    /** By the schema's 16-byte hash. */
    HASH,
    /** Not at all: the column has one writer schema for ever. */
    FINAL
}
