package io.polytable.entity.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.entity.EntityTable;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.key.EntityIdText;
import io.polytable.entity.key.EntityRange;
import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.read.EntityRow;
import io.polytable.entity.read.RowScanner;
import io.polytable.entity.request.ColumnRequest;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.request.RowFilterJson;
import io.polytable.entity.request.ScanOptions;
import io.polytable.entity.store.CellEdit;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Requests for rows of a table: reads, scans, writes and deletes. */
final class RestRows {
    private static final int ROWS_MAX = 1000;
    private static final int SCANNED_DEFAULT = 100;

    /** An answer ends with the row that reaches this size; a token says where the next one starts. */
    private static final long ANSWER_BYTES = 4 << 20;

    private static final int GET_STEP = 20;
    private static final long GET_BYTES_MAX = 32 << 20;

    private static final Set<String> OF_GET = Set.of("id", "ids", "columns", "versions", "time_from", "time_to");
    private static final Set<String> OF_SCAN = Set.of(
            "from", "to", "starting_with", "filter", "limit", "token", "columns", "versions", "time_from", "time_to");
    private static final Set<String> OF_DELETE = Set.of("id", "ids", "columns", "up_to", "at", "newest");

    private RestRows() {}

    static JsonNode answer(EntityTable table, RestRequest request) {
        return switch (request.method()) {
            case "GET" ->
                request.parameter("id").isPresent() || request.parameter("ids").isPresent()
                        ? get(table, request.with(OF_GET))
                        : scan(table, request.with(OF_SCAN));
            case "POST" -> write(table, request.with(Set.of()).json());
            case "DELETE" -> delete(table, request.with(OF_DELETE));
            default -> throw RestService.unknown(request);
        };
    }

    private static List<ColumnName> columns(RestRequest request) {
        return request.parameter("columns")
                .map(text -> Arrays.stream(text.split(",", -1))
                        .map(ColumnName::parse)
                        .toList())
                .orElse(List.of());
    }

    private static DataRequest wanted(EntityTable table, RestRequest request) {
        List<ColumnName> columns = columns(request);
        if (columns.isEmpty()) {
            columns = new LayoutColumns(table.layout())
                    .families().stream()
                            .map(family -> ColumnName.family(family.layout().name()))
                            .toList();
        }
        int versions = (int) request.number("versions", 1, Integer.MAX_VALUE);
        DataRequest wanted = DataRequest.EMPTY;
        for (ColumnName column : columns) {
            wanted = wanted.with(ColumnRequest.of(column).versions(versions));
        }
        long from = request.number("time_from", 0, Long.MAX_VALUE);
        long to = request.number("time_to", Long.MAX_VALUE, Long.MAX_VALUE);
        return wanted.between(from, to);
    }

    private static List<EntityId> ids(EntityTable table, RestRequest request) {
        List<EntityId> ids = new ArrayList<>();
        request.parameter("id").ifPresent(text -> ids.add(table.parseId(text)));
        request.parameter("ids").ifPresent(text -> {
            JsonNode list = RestRequest.json(text);
            if (!list.isArray() || list.size() > ROWS_MAX) {
                throw new EntityException(
                        EntityError.BAD_REQUEST, "ids is a JSON array of not too many", Map.of("max", ROWS_MAX));
            }
            list.forEach(id -> ids.add(id(table, id)));
        });
        return ids;
    }

    /** An id in its text form, or an array of its components. */
    static EntityId id(EntityTable table, JsonNode json) {
        if (json.isArray()) {
            return table.id(EntityIdText.components(json.toString()));
        }
        if (json.isTextual() || json.isIntegralNumber()) {
            return table.parseId(json.asText());
        }
        // A JSON null would become the entity named "null".
        throw new EntityException(
                EntityError.BAD_ENTITY_ID,
                "An id is a text, a whole number or an array",
                Map.of("id", json.toString()));
    }

    /** In steps, so that a too large answer is refused before all of it is read. */
    private static JsonNode get(EntityTable table, RestRequest request) {
        ObjectNode json = RestJson.MAPPER.createObjectNode();
        ArrayNode rows = json.putArray("rows");
        List<EntityId> ids = ids(table, request);
        DataRequest wanted = wanted(table, request);
        long bytes = 0;
        for (int from = 0; from < ids.size(); from += GET_STEP) {
            List<EntityId> step = ids.subList(from, Math.min(ids.size(), from + GET_STEP));
            for (EntityRow row : table.reader().getAll(step, wanted)) {
                if (!row.isEmpty()) {
                    rows.add(RestJson.row(row));
                    bytes += bytes(row);
                }
            }
            if (bytes > GET_BYTES_MAX) {
                throw new EntityException(
                        EntityError.TOO_LARGE,
                        "The entities are too large for one answer: ask for fewer, or for fewer columns",
                        Map.of("bytesMax", GET_BYTES_MAX));
            }
        }
        return json;
    }

    private static long bytes(EntityRow row) {
        return row.allCells().stream()
                .mapToLong(cell -> 64 + cell.storedBytes())
                .sum();
    }

    private static JsonNode scan(EntityTable table, RestRequest request) {
        Bytes from = request.parameter("from")
                .map(text -> table.parseId(text).rowKey())
                .orElse(Bytes.EMPTY);
        Bytes to = request.parameter("to")
                .map(text -> table.parseId(text).rowKey())
                .orElse(Bytes.EMPTY);
        EntityRange range = request.parameter("starting_with")
                .map(text -> table.startingWith(EntityIdText.components(text)))
                .orElse(new EntityRange(from, to));
        int limit = (int) request.number("limit", SCANNED_DEFAULT, ROWS_MAX);
        ScanOptions options = ScanOptions.ALL.range(range).batch(SCANNED_DEFAULT);
        Optional<String> filter = request.parameter("filter");
        options = filter.isPresent() ? options.filter(RowFilterJson.parse(filter.get())) : options;
        Optional<String> token = request.parameter("token");
        options = token.isPresent() ? options.resumedAt(token.get()) : options;
        ObjectNode json = RestJson.MAPPER.createObjectNode();
        ArrayNode rows = json.putArray("rows");
        long bytes = 0;
        try (RowScanner scanner = table.reader().scan(wanted(table, request), options)) {
            while (rows.size() < limit && bytes < ANSWER_BYTES && scanner.hasNext()) {
                EntityRow row = scanner.next();
                rows.add(RestJson.row(row));
                bytes += bytes(row);
            }
            Optional<String> place = scanner.token();
            if (place.isPresent() && scanner.hasNext()) {
                json.put("token", place.get());
            }
        }
        return json;
    }

    /**
     * Writes a row, or an array of rows, each {@code {"id", "cells": [{"column", "value", "time"}], "check": {"column",
     * "value"}, "increments": [{"column", "by"}]}}. The cells of a row are written atomically, and with a check only if
     * it holds.
     */
    private static JsonNode write(EntityTable table, JsonNode body) {
        if (body.size() > ROWS_MAX && body.isArray()) {
            throw new EntityException(EntityError.TOO_LARGE, "Too many rows at a time", Map.of("max", ROWS_MAX));
        }
        // All rows are validated before the first is written.
        List<RestWrite> writes = new ArrayList<>();
        if (body.isArray()) {
            body.forEach(row -> writes.add(RestWrite.parse(table, row)));
        } else {
            writes.add(RestWrite.parse(table, body));
        }
        ObjectNode json = RestJson.MAPPER.createObjectNode();
        ArrayNode outcomes = json.putArray("rows");
        writes.forEach(write -> outcomes.add(write.made(table)));
        return json;
    }

    /** Deletes whole entities, or columns and families of them; up to a time, or one cell. */
    private static JsonNode delete(EntityTable table, RestRequest request) {
        List<EntityId> ids = ids(table, request);
        if (ids.isEmpty()) {
            throw new EntityException(EntityError.BAD_REQUEST, "A delete names entities with id or ids");
        }
        long upTo = request.number("up_to", CellEdit.NOW, Long.MAX_VALUE);
        boolean isCell = request.flag("newest") || request.parameter("at").isPresent();
        List<ColumnName> columns = columns(request);
        if (isCell && (columns.isEmpty() || columns.stream().anyMatch(ColumnName::isFamily))) {
            // Without its column the request would delete whole entities.
            throw new EntityException(EntityError.BAD_REQUEST, "A delete of one cell names its column in columns");
        }
        boolean isTwice = request.flag("newest") && request.parameter("at").isPresent();
        if (isTwice || (isCell && request.parameter("up_to").isPresent())) {
            throw new EntityException(EntityError.BAD_REQUEST, "A delete has up_to, or one of at and newest");
        }
        for (EntityId id : ids) {
            if (columns.isEmpty()) {
                table.writer().deleteRow(id, upTo);
            }
            for (ColumnName column : columns) {
                if (isCell) {
                    table.writer()
                            .deleteCell(id, column.toString(), request.number("at", CellEdit.NOW, Long.MAX_VALUE));
                } else if (column.isFamily()) {
                    table.writer().deleteFamily(id, column.family(), upTo);
                } else {
                    table.writer().deleteColumn(id, column.toString(), upTo);
                }
            }
        }
        return RestJson.MAPPER.createObjectNode().put("deleted", ids.size());
    }
}
