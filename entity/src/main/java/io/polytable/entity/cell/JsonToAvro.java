package io.polytable.entity.cell;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Converts plain JSON to values of Avro schemas. Unlike in Avro's own JSON, a value of a union does not name its
 * branch: the first branch that accepts it is taken. Missing fields get their default; unknown fields are refused.
 * Bytes are hexadecimal digits.
 */
public final class JsonToAvro {
    private JsonToAvro() {}

    /** The value under the first schema that holds it. */
    public static Object any(String column, List<Schema> schemas, JsonNode tree) {
        IllegalArgumentException last = new IllegalArgumentException("the column has no writer schema");
        for (Schema schema : schemas) {
            try {
                Object value = value(schema, tree);
                return value == null ? AvroValues.NULL : value;
            } catch (IllegalArgumentException e) {
                last = e;
            }
        }
        throw BadValue.of(column, "The text is no value of the column", String.valueOf(last.getMessage()), last);
    }

    private static @Nullable Object value(Schema schema, JsonNode tree) {
        return switch (schema.getType()) {
            case NULL -> {
                require(tree.isNull(), schema, tree);
                yield null;
            }
            case BOOLEAN -> {
                require(tree.isBoolean(), schema, tree);
                yield tree.booleanValue();
            }
            case INT -> {
                require(tree.isIntegralNumber() && tree.canConvertToInt(), schema, tree);
                yield tree.intValue();
            }
            case LONG -> {
                require(tree.isIntegralNumber() && tree.canConvertToLong(), schema, tree);
                yield tree.longValue();
            }
            case FLOAT -> {
                require(tree.isNumber(), schema, tree);
                yield tree.floatValue();
            }
            case DOUBLE -> {
                require(tree.isNumber(), schema, tree);
                yield tree.doubleValue();
            }
            case STRING -> {
                require(tree.isTextual(), schema, tree);
                yield tree.textValue();
            }
            case BYTES, FIXED -> bytes(schema, tree);
            case ENUM -> {
                require(tree.isTextual() && schema.hasEnumSymbol(tree.textValue()), schema, tree);
                yield new GenericData.EnumSymbol(schema, tree.textValue());
            }
            case ARRAY -> array(schema, tree);
            case MAP -> map(schema, tree);
            case UNION -> union(schema, tree);
            case RECORD -> record(schema, tree);
        };
    }

    private static Object bytes(Schema schema, JsonNode tree) {
        require(tree.isTextual(), schema, tree);
        byte[] bytes = HexFormat.of().parseHex(tree.textValue());
        if (schema.getType() == Schema.Type.BYTES) {
            return ByteBuffer.wrap(bytes);
        }
        require(bytes.length == schema.getFixedSize(), schema, tree);
        return new GenericData.Fixed(schema, bytes);
    }

    private static Object array(Schema schema, JsonNode tree) {
        require(tree.isArray(), schema, tree);
        List<@Nullable Object> items = new ArrayList<>();
        tree.forEach(item -> items.add(value(schema.getElementType(), item)));
        return new GenericData.Array<>(schema, items);
    }

    private static Object map(Schema schema, JsonNode tree) {
        require(tree.isObject(), schema, tree);
        Map<String, @Nullable Object> entries = new LinkedHashMap<>();
        tree.properties().forEach(entry -> entries.put(entry.getKey(), value(schema.getValueType(), entry.getValue())));
        return entries;
    }

    private static @Nullable Object union(Schema schema, JsonNode tree) {
        for (Schema branch : schema.getTypes()) {
            try {
                return value(branch, tree);
            } catch (IllegalArgumentException e) {
                // The next branch may accept it.
            }
        }
        throw new IllegalArgumentException(tree + " is none of " + schema);
    }

    private static Object record(Schema schema, JsonNode tree) {
        require(tree.isObject(), schema, tree);
        GenericRecordBuilder record = new GenericRecordBuilder(schema);
        tree.properties().forEach(entry -> {
            Schema.Field field = schema.getField(entry.getKey());
            if (field == null) {
                throw new IllegalArgumentException(schema.getFullName() + " has no field " + entry.getKey());
            }
            record.set(field, value(field.schema(), entry.getValue()));
        });
        for (Schema.Field field : schema.getFields()) {
            if (!tree.has(field.name()) && !field.hasDefaultValue()) {
                // A nullable field may be omitted without a default.
                record.set(field, value(field.schema(), NullNode.getInstance()));
            }
        }
        try {
            return record.build();
        } catch (AvroRuntimeException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static void require(boolean holds, Schema schema, JsonNode tree) {
        if (!holds) {
            String text = tree.toString();
            throw new IllegalArgumentException(
                    (text.length() <= 100 ? text : text.substring(0, 100) + "...") + " is no " + schema.getType());
        }
    }
}
