package io.polytable.entity.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.entity.cell.ValueText;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.CellType;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.read.EntityCell;
import io.polytable.entity.read.EntityRow;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.Map;
import org.apache.avro.generic.GenericContainer;
import org.apache.avro.generic.GenericData;
import org.apache.avro.specific.SpecificData;

/** Rows and values as JSON: Avro as its JSON, bytes as hexadecimal digits. */
final class RestJson {
    // What follows a value is refused: of two rows that are not in an array the second would be dropped. So would be
    // the
    // first of two fields of the same name.
    static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private RestJson() {}

    /** {@code {"id", "key", "cells": {"family:column": [{"time", "value"}, ...]}}}, newest cells first. */
    static ObjectNode row(EntityRow row) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("id", row.id().toString());
        json.put("key", HexFormat.of().formatHex(row.id().rowKey().toByteArray()));
        ObjectNode cells = json.putObject("cells");
        for (EntityCell cell : row.allCells()) {
            String column = cell.column().toString();
            var versions = cells.has(column) ? cells.withArray(column) : cells.putArray(column);
            versions.addObject().put("time", cell.timestamp()).set("value", value(cell.value()));
        }
        return json;
    }

    private static JsonNode value(Object value) {
        if (value instanceof JsonNode json) {
            return json;
        }
        if (value instanceof byte[] array) {
            return NODES.textNode(HexFormat.of().formatHex(array));
        }
        if (value instanceof Boolean flag) {
            return NODES.booleanNode(flag);
        }
        if (value instanceof Integer || value instanceof Long) {
            return NODES.numberNode(((Number) value).longValue());
        }
        if (value instanceof BigDecimal decimal) {
            return NODES.numberNode(decimal);
        }
        boolean isFinite = value instanceof Number number && Double.isFinite(number.doubleValue());
        if (isFinite) {
            return NODES.numberNode(((Number) value).doubleValue());
        }
        if (value instanceof GenericContainer || value instanceof Map || value instanceof Iterable) {
            return avro(value);
        }
        return NODES.textNode(ValueText.of(value));
    }

    private static JsonNode avro(Object value) {
        GenericData data =
                value instanceof org.apache.avro.specific.SpecificRecord ? SpecificData.get() : GenericData.get();
        try {
            return MAPPER.readTree(data.toString(value));
        } catch (JsonProcessingException e) {
            return NODES.textNode(data.toString(value));
        }
    }

    /** The value that the JSON means in a column. */
    static Object parse(String column, CellSchema schema, JsonNode json) {
        if (schema.type() == CellType.JSON) {
            return json;
        }
        if (json.isTextual() && schema.type() == CellType.AVRO) {
            // Quoted, as in JSON: a text may itself begin and end with quotes. Other types than text read it so too.
            boolean isText = schema.writers().stream()
                    .anyMatch(writer -> writer.getType() == org.apache.avro.Schema.Type.STRING);
            return isText ? json.textValue() : ValueText.parse(column, schema, json.toString());
        }
        return ValueText.parse(column, schema, json.isTextual() ? json.textValue() : json.toString());
    }

    static JsonNode field(JsonNode json, String name) {
        JsonNode value = json.get(name);
        if (value == null) {
            throw new EntityException(EntityError.BAD_REQUEST, "A field is missing", Map.of("field", name));
        }
        return value;
    }

    static String text(JsonNode json, String name) {
        JsonNode value = field(json, name);
        if (!value.isTextual()) {
            throw new EntityException(EntityError.BAD_REQUEST, "A field is no text", Map.of("field", name));
        }
        return value.textValue();
    }

    /** A whole number, or the default. */
    static long number(JsonNode json, String name, long otherwise) {
        JsonNode value = json.get(name);
        if (value == null) {
            return otherwise;
        }
        if (!value.canConvertToLong() || !value.isIntegralNumber()) {
            throw new EntityException(EntityError.BAD_REQUEST, "A field is no whole number", Map.of("field", name));
        }
        return value.longValue();
    }
}
