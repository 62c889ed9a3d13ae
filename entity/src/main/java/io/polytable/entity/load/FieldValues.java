package io.polytable.entity.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.entity.cell.JsonToAvro;
import io.polytable.entity.cell.ValueText;
import io.polytable.entity.key.ComponentType;
import io.polytable.entity.key.FormattedKeys;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.CellType;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts values of fields to values of columns and to components of ids. */
final class FieldValues {
    private FieldValues() {}

    /** A column's value of a field: text as people write it, a JSON tree, or what Avro decoded. */
    static Object ofColumn(String column, CellSchema schema, Object field) {
        if (field instanceof String text) {
            // The file's format has its own quotes, which are removed already.
            return ValueText.parsePlain(column, schema, text);
        }
        if (!(field instanceof JsonNode tree)) {
            return schema.type() == CellType.JSON ? ValueText.json(field) : field;
        }
        return switch (schema.type()) {
            case JSON -> tree;
            case AVRO -> JsonToAvro.any(column, schema.writers(), tree);
            default -> ValueText.parse(column, schema, tree.isTextual() ? tree.textValue() : tree.toString());
        };
    }

    /** The components of an entity id; fields that are absent are null. */
    static @Nullable Object[] ofId(KeyFormat keys, List<String> ids, Map<String, Object> fields) {
        @Nullable Object[] components = new @Nullable Object[ids.size()];
        for (int i = 0; i < components.length; i++) {
            Object field = fields.get(ids.get(i));
            components[i] = field == null ? null : component(keys, i, ids.get(i), field);
        }
        return components;
    }

    private static Object component(KeyFormat keys, int index, String name, Object field) {
        ComponentType type = keys instanceof FormattedKeys formatted
                        && index < formatted.components().size()
                ? formatted.components().get(index).type()
                : ComponentType.STRING;
        String text = field instanceof JsonNode tree && tree.isTextual() ? tree.textValue() : field.toString();
        try {
            return switch (type) {
                case STRING -> field instanceof java.nio.ByteBuffer bytes ? bytes : text;
                case INTEGER -> new BigDecimal(text.strip()).intValueExact();
                case LONG -> new BigDecimal(text.strip()).longValueExact();
            };
        } catch (ArithmeticException | NumberFormatException e) {
            throw new EntityException(
                    EntityError.BAD_ENTITY_ID,
                    "A component of the id is no whole number of its type",
                    Map.of("field", name, "value", text, "type", type),
                    e);
        }
    }

    static long time(String name, Object field) {
        String text = field instanceof JsonNode tree && tree.isTextual() ? tree.textValue() : field.toString();
        try {
            long time = new BigDecimal(text.strip()).longValueExact();
            if (time >= 0) {
                return time;
            }
        } catch (ArithmeticException | NumberFormatException e) {
            throw badTime(name, text);
        }
        throw badTime(name, text);
    }

    private static EntityException badTime(String name, String text) {
        return new EntityException(
                EntityError.BAD_VALUE, "A timestamp is a number of milliseconds", Map.of("field", name, "value", text));
    }
}
