package io.polytable.entity.cell;

import io.polytable.table.Bytes;
import java.util.Optional;
import org.apache.avro.Schema;

/** Turns a column's values into bytes and back. Safe for use by many threads. */
public interface CellCodec {
    /** {@code BAD_VALUE} when the column cannot hold the value. */
    Bytes encode(Object value);

    /** {@code BAD_VALUE} when the bytes are not a value of the column. */
    Object decode(Bytes stored, ReadAs as);

    /** A value for tools, and the schema of an Avro value. */
    record Shown(Object value, Optional<Schema> schema) {}

    /** The value for tools, which need not have a class that programs read it with. */
    default Shown shown(Bytes stored) {
        return new Shown(decode(stored, ReadAs.DEFAULT), Optional.empty());
    }

    /** The schema that the value would be written with and that the column must learn of first. */
    default Optional<Schema> unregistered(Object value) {
        return Optional.empty();
    }
}
