package io.polytable.entity.ddl;

import io.polytable.entity.Instance;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.Validation;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.Map;
import org.apache.avro.Schema;

/** Resolves names in statements that only an instance knows. */
interface DdlContext {
    /** For the syntax check of a script before its first statement runs: nothing is looked up. */
    DdlContext SYNTAX_ONLY = new DdlContext() {
        @Override
        public Schema schema(long id) {
            return Schema.create(Schema.Type.NULL);
        }

        @Override
        public CellSchema ofClass(String name) {
            return CellSchema.avro(Schema.create(Schema.Type.NULL)).withClassName(name);
        }

        @Override
        public Validation validation(String table) {
            return Validation.STRICT;
        }
    };

    Schema schema(long id);

    CellSchema ofClass(String name);

    /** The table's default validation for new columns. */
    Validation validation(String table);

    static DdlContext of(Instance instance) {
        return new DdlContext() {
            @Override
            public Schema schema(long id) {
                return instance.schemas()
                        .findById(id)
                        .orElseThrow(() -> new EntityException(
                                EntityError.UNKNOWN_SCHEMA, "No schema has this number", Map.of("id", id)))
                        .schema();
            }

            @Override
            public CellSchema ofClass(String name) {
                return CellSchema.ofClass(name);
            }

            @Override
            public Validation validation(String table) {
                return TableClause.validationOf(instance.table(table).layout());
            }
        };
    }
}
