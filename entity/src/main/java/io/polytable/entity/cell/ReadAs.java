package io.polytable.entity.cell;

import org.apache.avro.Schema;

/** What the Avro values of a column are read as. Other columns know only the default. */
public sealed interface ReadAs {
    ReadAs DEFAULT = new Default();
    ReadAs WRITTEN = new Written();

    /** The column's default reader schema, or its class, or the writer's schema. */
    record Default() implements ReadAs {}

    /** Whatever each value was written with. */
    record Written() implements ReadAs {}

    /** Generic values of the schema. */
    record Generic(Schema schema) implements ReadAs {}

    /** Instances of an Avro class. */
    record Specific(Class<?> type) implements ReadAs {}
}
