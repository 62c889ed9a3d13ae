package io.polytable.entity.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.entity.EntityTable;
import io.polytable.entity.cell.ValueText;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.CellType;
import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.write.AtomicWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A parsed and validated write of a row. */
final class RestWrite {
    private static final Set<String> FIELDS = Set.of("id", "cells", "check", "increments");

    private record Check(String column, @Nullable Object expected) {}

    private record Increment(String column, long by) {}

    private final EntityId id;
    private final AtomicWriter writer;
    private final boolean hasCells;
    private final Optional<Check> check;
    private final List<Increment> increments;

    private RestWrite(
            EntityId id, AtomicWriter writer, boolean hasCells, Optional<Check> check, List<Increment> increments) {
        this.id = id;
        this.writer = writer;
        this.hasCells = hasCells;
        this.check = check;
        this.increments = increments;
    }

    static RestWrite parse(EntityTable table, JsonNode row) {
        known(row, FIELDS);
        EntityId id = RestRows.id(table, RestJson.field(row, "id"));
        LayoutColumns columns = new LayoutColumns(table.layout());
        AtomicWriter writer = table.atomicWriter().begin(id);
        List<JsonNode> cells = array(row, "cells");
        for (JsonNode cell : cells) {
            known(cell, Set.of("column", "value", "time"));
            String column = RestJson.text(cell, "column");
            Object value = ValueText.parse(column, schema(columns, column), RestJson.field(cell, "value"));
            writer.put(column, RestJson.number(cell, "time", CellEdit.NOW), value);
        }
        List<Increment> increments = new ArrayList<>();
        for (JsonNode increment : array(row, "increments")) {
            known(increment, Set.of("column", "by"));
            String column = RestJson.text(increment, "column");
            if (schema(columns, column).type() != CellType.COUNTER) {
                throw new EntityException(EntityError.BAD_VALUE, "The column is no counter", Map.of("column", column));
            }
            increments.add(new Increment(column, RestJson.number(increment, "by", 1)));
        }
        return new RestWrite(id, writer, !cells.isEmpty(), check(columns, row), increments);
    }

    private static void known(JsonNode json, Set<String> fields) {
        json.fieldNames().forEachRemaining(name -> {
            if (!fields.contains(name)) {
                throw new EntityException(EntityError.BAD_REQUEST, "There is no such field", Map.of("field", name));
            }
        });
    }

    private static List<JsonNode> array(JsonNode row, String name) {
        JsonNode value = row.path(name);
        if (!value.isMissingNode() && !value.isArray()) {
            throw new EntityException(EntityError.BAD_REQUEST, "A field is no array", Map.of("field", name));
        }
        List<JsonNode> items = new ArrayList<>();
        value.forEach(items::add);
        return items;
    }

    private static Optional<Check> check(LayoutColumns columns, JsonNode row) {
        JsonNode check = row.path("check");
        if (check.isMissingNode()) {
            return Optional.empty();
        }
        known(check, Set.of("column", "value"));
        String column = RestJson.text(check, "column");
        JsonNode expected = RestJson.field(check, "value");
        CellSchema schema = schema(columns, column);
        return Optional.of(new Check(column, expected.isNull() ? null : ValueText.parse(column, schema, expected)));
    }

    private static CellSchema schema(LayoutColumns columns, String column) {
        return columns.schema(ColumnName.parse(column));
    }

    /** Executes the write; the cells atomically, and with a check only if it holds. */
    JsonNode made(EntityTable table) {
        boolean applied = true;
        if (check.isPresent()) {
            applied = writer.checkAndCommit(check.get().column(), check.get().expected());
        } else if (hasCells) {
            writer.commit();
        }
        ObjectNode json = RestJson.MAPPER.createObjectNode();
        json.put("id", id.toString()).put("applied", applied);
        if (applied && !increments.isEmpty()) {
            ObjectNode counters = json.putObject("counters");
            for (Increment increment : increments) {
                counters.put(increment.column(), table.writer().increment(id, increment.column(), increment.by()));
            }
        }
        return json;
    }
}
