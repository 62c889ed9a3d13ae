package io.polytable.entity.layout;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;

/** Cell schemas from JSON. */
final class SchemaJson {
    private final LongFunction<Optional<Schema>> byId;

    SchemaJson(LongFunction<Optional<Schema>> byId) {
        this.byId = byId;
    }

    CellSchema read(JsonNode node) {
        JsonFields fields = new JsonFields(node);
        String type = fields.required("type");
        CellSchema schema = switch (type) {
            case "INLINE" ->
                CellSchema.avro(SchemaText.parse(fields.required("value"))).withValidation(Validation.NONE);
            case "CLASS" -> ofClass(fields.required("value")).withValidation(Validation.NONE);
            case "AVRO" -> avro(fields);
            case "COUNTER" -> CellSchema.counter();
            case "RAW_BYTES" -> CellSchema.bytes();
            case "JSON" -> CellSchema.json();
            case "PROTOBUF" -> CellSchema.protobuf(fields.required("protobuf_class_name"));
            default -> throw new EntityException(EntityError.BAD_LAYOUT, "Not a type of cells", Map.of("type", type));
        };
        schema = schema.withStorage(fields.choice("storage", SchemaStorage.class, SchemaStorage.UID));
        OptionalLong ttl = fields.number("ttl_seconds");
        return ttl.isPresent() ? schema.withTtlSeconds(ttl.getAsLong()) : schema;
    }

    private CellSchema avro(JsonFields fields) {
        List<Schema> readers = schemas(fields, "readers");
        List<Schema> writers = schemas(fields, "writers");
        Optional<Schema> reader =
                fields.has("default_reader") ? Optional.of(schema(fields.node("default_reader"))) : Optional.empty();
        if (fields.has("value")) {
            Schema value = schema(fields.node("value"));
            readers.add(value);
            writers.add(value);
            reader = Optional.of(reader.orElse(value));
        }
        return new CellSchema(
                CellType.AVRO,
                SchemaStorage.UID,
                validation(fields.text("avro_validation_policy").orElse("STRICT")),
                reader,
                readers,
                writers,
                schemas(fields, "written"),
                fields.text("specific_reader_schema_class"),
                OptionalLong.empty());
    }

    private static Validation validation(String text) {
        return switch (text) {
            case "STRICT" -> Validation.STRICT;
            case "DEVELOPER" -> Validation.DEVELOPER;
            case "NONE", "SCHEMA_1_0" -> Validation.NONE;
            default ->
                throw new EntityException(EntityError.BAD_LAYOUT, "Not a validation policy", Map.of("policy", text));
        };
    }

    static CellSchema ofClass(String className) {
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            Class<?> type = Class.forName(className, true, loader == null ? SchemaJson.class.getClassLoader() : loader);
            return CellSchema.avro(SpecificData.get().getSchema(type)).withClassName(className);
        } catch (ClassNotFoundException | AvroRuntimeException e) {
            throw new EntityException(
                    EntityError.BAD_LAYOUT, "Not an Avro class on the class path", Map.of("class", className), e);
        }
    }

    private List<Schema> schemas(JsonFields fields, String name) {
        List<Schema> schemas = new ArrayList<>();
        fields.list(name).forEach(node -> schemas.add(schema(node)));
        return schemas;
    }

    private Schema schema(JsonNode given) {
        JsonNode node = JsonFields.unwrapped(given);
        if (node.isObject() && (node.has("uid") || node.has("json"))) {
            JsonNode uid = JsonFields.unwrapped(node.path("uid"));
            if (uid.isIntegralNumber()) {
                return byId.apply(uid.longValue())
                        .orElseThrow(() -> new EntityException(
                                EntityError.UNKNOWN_SCHEMA,
                                "No schema has this number",
                                Map.of("id", uid.longValue())));
            }
            return schema(node.path("json"));
        }
        return SchemaText.parse(node.isTextual() ? node.textValue() : node.toString());
    }
}
