package io.polytable.entity.request;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Row filters as JSON: an object of one field that names the filter, such as {@code {"has":"info:name"}}. */
public final class RowFilterJson {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final int DEPTH_MAX = 50;

    private RowFilterJson() {}

    public static RowFilter parse(String json) {
        try {
            return filter(JSON.readTree(json), 0);
        } catch (JsonProcessingException e) {
            throw new EntityException(EntityError.BAD_REQUEST, "Not JSON", Map.of("text", json), e);
        }
    }

    private static RowFilter filter(JsonNode node, int depth) {
        if (!node.isObject() || node.size() != 1 || depth > DEPTH_MAX) {
            throw bad(node);
        }
        String name = node.fieldNames().next();
        JsonNode body = node.get(name);
        return switch (name) {
            case "has" -> new RowFilter.HasColumn(ColumnName.parse(body.asText()));
            case "equals" ->
                new RowFilter.ColumnEquals(
                        ColumnName.parse(body.path("column").asText()), required(body.path("value"), body));
            case "key" -> {
                List<@Nullable Object> components = new ArrayList<>();
                items(body).forEach(component -> components.add(component.isNull() ? null : required(component, body)));
                yield new RowFilter.KeyMatches(components);
            }
            case "sample" -> new RowFilter.Sample(body.asDouble(-1));
            case "and" -> new RowFilter.And(filters(body, depth));
            case "or" -> new RowFilter.Or(filters(body, depth));
            case "not" -> new RowFilter.Not(filter(body, depth + 1));
            default -> throw bad(node);
        };
    }

    private static List<RowFilter> filters(JsonNode body, int depth) {
        List<RowFilter> filters = new ArrayList<>();
        items(body).forEach(part -> filters.add(filter(part, depth + 1)));
        return filters;
    }

    /** Anything but an array would have no elements, and a filter without parts accepts all rows. */
    private static JsonNode items(JsonNode body) {
        if (!body.isArray()) {
            throw bad(body);
        }
        return body;
    }

    private static Object required(JsonNode node, JsonNode in) {
        Object value = value(node);
        if (value == null) {
            throw bad(in);
        }
        return value;
    }

    private static @Nullable Object value(JsonNode node) {
        if (node.isTextual()) {
            return node.textValue();
        }
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            return node.longValue();
        }
        if (node.isNumber() && !node.isIntegralNumber()) {
            return node.doubleValue();
        }
        return node.isBoolean() ? node.booleanValue() : null;
    }

    public static String write(RowFilter filter) {
        return tree(filter).toString();
    }

    private static ObjectNode tree(RowFilter filter) {
        ObjectNode node = JSON.createObjectNode();
        if (filter instanceof RowFilter.HasColumn has) {
            node.put("has", has.column().toString());
        } else if (filter instanceof RowFilter.ColumnEquals equal) {
            node.putObject("equals").put("column", equal.column().toString()).putPOJO("value", equal.value());
        } else if (filter instanceof RowFilter.KeyMatches key) {
            ArrayNode components = node.putArray("key");
            key.components().forEach(components::addPOJO);
        } else if (filter instanceof RowFilter.Sample sample) {
            node.put("sample", sample.part());
        } else if (filter instanceof RowFilter.Not not) {
            node.set("not", tree(not.filter()));
        } else {
            boolean isAnd = filter instanceof RowFilter.And;
            ArrayNode parts = node.putArray(isAnd ? "and" : "or");
            List<RowFilter> filters =
                    filter instanceof RowFilter.And and ? and.filters() : ((RowFilter.Or) filter).filters();
            filters.forEach(part -> parts.add(tree(part)));
        }
        return node;
    }

    private static EntityException bad(JsonNode node) {
        return new EntityException(EntityError.BAD_REQUEST, "Not a row filter", Map.of("json", node.toString()));
    }
}
