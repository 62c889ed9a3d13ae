package io.polytable.entity.rest;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.entity.cell.CellCodec;
import io.polytable.entity.cell.ValueText;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.read.EntityCell;
import io.polytable.entity.read.EntityRow;
import java.util.HexFormat;
import java.util.Map;

/** Rows and values as JSON: Avro in its own JSON, as a write takes it too; bytes as hexadecimal digits. */
final class RestJson {
    // Trailing content is refused: of two rows that are not in an array the second would be lost. So are repeated field
    // names, of which the first would be lost.
    static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

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
            versions.addObject().put("time", cell.timestamp()).set("value", value(cell));
        }
        return json;
    }

    private static JsonNode value(EntityCell cell) {
        CellCodec.Shown shown = cell.shown();
        if (shown.value() instanceof JsonNode json) {
            return json;
        }
        return shown.schema()
                .map(schema -> ValueText.json(schema, shown.value()))
                .orElseGet(() -> ValueText.json(shown.value()));
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
