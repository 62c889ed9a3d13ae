package io.polytable.entity.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.entity.Entities;
import io.polytable.entity.Instance;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.meta.LayoutTable;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.session.LayoutChanges;
import io.polytable.entity.store.EntityStore;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Requests for instances, tables and their layouts. */
final class RestLayouts {
    private static final long HISTORY_MAX = 10_000;

    private RestLayouts() {}

    /** GET lists instances, POST creates one from {@code {"name", "properties"}}. */
    static JsonNode instances(EntityStore store, RestRequest request) {
        if (request.method().equals("POST")) {
            JsonNode wanted = request.json();
            Map<String, String> properties = new TreeMap<>();
            wanted.path("properties")
                    .properties()
                    .forEach(field ->
                            properties.put(field.getKey(), field.getValue().asText()));
            Entities.install(store, RestJson.text(wanted, "name"), properties);
        } else if (!request.method().equals("GET")) {
            throw RestService.unknown(request);
        }
        ObjectNode json = RestJson.MAPPER.createObjectNode();
        ArrayNode names = json.putArray("instances");
        store.instances().forEach(names::add);
        return json;
    }

    /** GET describes the instance, DELETE drops it with everything in it. */
    static JsonNode instance(
            EntityStore store,
            String name,
            RestRequest request,
            BiFunction<String, Function<Instance, JsonNode>, JsonNode> in) {
        if (request.method().equals("DELETE")) {
            store.dropInstance(name);
            return RestJson.MAPPER.createObjectNode().put("dropped", name);
        }
        if (!request.method().equals("GET")) {
            throw RestService.unknown(request);
        }
        return in.apply(name, instance -> {
            ObjectNode json = RestJson.MAPPER.createObjectNode().put("name", name);
            ArrayNode tables = json.putArray("tables");
            instance.tables().forEach(tables::add);
            ObjectNode properties = json.putObject("properties");
            instance.system().all().forEach(properties::put);
            return json;
        });
    }

    /** GET lists tables, POST creates one from a layout. */
    static JsonNode tables(Instance instance, RestRequest request) {
        if (request.method().equals("POST")) {
            TableLayout wanted = instance.parseLayout(request.json().toString());
            return layout(instance.createTable(wanted).layout());
        }
        if (!request.method().equals("GET")) {
            throw RestService.unknown(request);
        }
        ObjectNode json = RestJson.MAPPER.createObjectNode();
        ArrayNode tables = json.putArray("tables");
        instance.tables().forEach(tables::add);
        return json;
    }

    /**
     * GET returns the layout, PUT replaces it (with {@code dry_run} it only reports the difference), DELETE drops the
     * table.
     */
    static JsonNode table(Instance instance, String name, RestRequest request) {
        switch (request.method()) {
            case "GET" -> {
                return layout(instance.layouts().get(name).version().layout());
            }
            case "PUT" -> {
                TableLayout wanted = instance.parseLayout(request.json().toString());
                if (!wanted.name().equals(name)) {
                    throw new EntityException(
                            EntityError.BAD_LAYOUT,
                            "The layout is of another table",
                            Map.of("path", name, "layout", wanted.name()));
                }
                boolean dryRun = request.flag("dry_run");
                LayoutChanges.Outcome outcome = dryRun ? instance.tryLayout(wanted) : instance.updateLayout(wanted);
                ObjectNode json = RestJson.MAPPER.createObjectNode();
                json.put("layout_id", outcome.after().layoutId()).put("dry_run", dryRun);
                ArrayNode lines = json.putArray("difference");
                outcome.difference().forEach(lines::add);
                return json;
            }
            case "DELETE" -> {
                instance.dropTable(name);
                return RestJson.MAPPER.createObjectNode().put("dropped", name);
            }
            default -> throw RestService.unknown(request);
        }
    }

    /** GET returns the layout history, newest first, up to {@code limit}. */
    static JsonNode history(Instance instance, String table, RestRequest request) {
        if (!request.method().equals("GET")) {
            throw RestService.unknown(request);
        }
        instance.layouts().get(table);
        ObjectNode json = RestJson.MAPPER.createObjectNode();
        ArrayNode versions = json.putArray("layouts");
        int limit = (int) request.number("limit", 10, HISTORY_MAX);
        for (LayoutTable.Version version : instance.layouts().history(table, limit)) {
            versions.addObject().put("time", version.atMillis()).set("layout", layout(version.layout()));
        }
        return json;
    }

    private static JsonNode layout(TableLayout layout) {
        try {
            return RestJson.MAPPER.readTree(layout.toJson());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A layout is JSON", e);
        }
    }
}
