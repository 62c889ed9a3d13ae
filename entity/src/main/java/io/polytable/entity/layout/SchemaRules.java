package io.polytable.entity.layout;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;

/**
 * Checks the compatibility of a column's readers and writers: every schema of stored values must be readable with every
 * reader schema. During an update old and new schemas are both in use, so new ones must also be compatible with old
 * ones of the other side.
 */
final class SchemaRules {
    private SchemaRules() {}

    static void check(String column, Optional<CellSchema> current, CellSchema wanted) {
        if (wanted.type() != CellType.AVRO || wanted.validation() == Validation.NONE) {
            return;
        }
        Set<Schema> oldReaders = current.map(CellSchema::allReaders).orElse(Set.of());
        Set<Schema> oldWriters = current.map(CellSchema::allWritten).orElse(Set.of());
        Set<Schema> readers = new LinkedHashSet<>(oldReaders);
        readers.addAll(wanted.allReaders());
        Set<Schema> writers = new LinkedHashSet<>(oldWriters);
        writers.addAll(wanted.allWritten());
        boolean wasChecked =
                current.map(schema -> schema.validation() != Validation.NONE).orElse(true);
        for (Schema reader : readers) {
            for (Schema writer : writers) {
                boolean stood = oldReaders.contains(reader) && oldWriters.contains(writer);
                if (!stood || !wasChecked) {
                    requireReadable(column, reader, writer);
                }
            }
        }
    }

    private static void requireReadable(String column, Schema reader, Schema writer) {
        if (!canRead(reader, writer)) {
            throw new EntityException(
                    EntityError.INCOMPATIBLE_SCHEMA,
                    "A reader schema cannot read what a writer schema writes",
                    Map.of("column", column, "reader", reader.toString(), "writer", writer.toString()));
        }
    }

    static boolean canRead(Schema reader, Schema writer) {
        return SchemaCompatibility.checkReaderWriterCompatibility(reader, writer)
                        .getType()
                == SchemaCompatibilityType.COMPATIBLE;
    }
}
