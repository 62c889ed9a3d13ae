package io.polytable.entity.cell;

import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** The Java type that a column's Avro values are read as. Other columns support only the default. */
public sealed interface ReadAs {
    ReadAs DEFAULT = new Default();
    ReadAs WRITTEN = new Written();

    /** The column's default reader schema, or its class, or the writer's schema. */
    record Default() implements ReadAs {}

    /** Each value with its writer's schema. */
    record Written() implements ReadAs {}

    /**
     * Generic values of the schema. Avro considers schemas equal whose aliases differ, although they read differently.
     */
    record Generic(Schema schema) implements ReadAs {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Generic generic
                    && schema.equals(generic.schema)
                    && schema.toString().equals(generic.schema.toString());
        }

        @Override
        public int hashCode() {
            return schema.hashCode();
        }
    }

    /** Instances of an Avro class. */
    record Specific(Class<?> type) implements ReadAs {}
}
