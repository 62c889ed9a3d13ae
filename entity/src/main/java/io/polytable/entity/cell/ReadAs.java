package io.polytable.entity.cell;

import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** What the Avro values of a column are read as. Other columns know only the default. */
public sealed interface ReadAs {
    ReadAs DEFAULT = new Default();
    ReadAs WRITTEN = new Written();

    /** The column's default reader schema, or its class, or the writer's schema. */
    record Default() implements ReadAs {}

    /** Whatever each value was written with. */
    record Written() implements ReadAs {}

    /** Generic values of the schema. Avro calls schemas equal whose aliases differ; they do not read the same. */
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
