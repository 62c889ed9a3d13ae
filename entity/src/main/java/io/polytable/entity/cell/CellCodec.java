package io.polytable.entity.cell;

import io.polytable.table.Bytes;
import java.util.Optional;
import org.apache.avro.Schema;

/** Encodes and decodes a column's values. Thread safe. */
public interface CellCodec {
    /** {@code BAD_VALUE} when the column cannot hold the value. */
    Bytes encode(Object value);

    /** {@code BAD_VALUE} when the bytes are not a value of the column. */
    Object decode(Bytes stored, ReadAs as);

    /** A value for tools, and the schema of an Avro value. */
    record Shown(Object value, Optional<Schema> schema) {}

    /** Decodes a value for tools, which may lack the application's classes. */
    default Shown shown(Bytes stored) {
        return new Shown(decode(stored, ReadAs.DEFAULT), Optional.empty());
    }

    /** The schema of the value, if it must be registered with the column before the write. */
    default Optional<Schema> unregistered(Object value) {
        return Optional.empty();
    }
}
