package io.polytable.entity.embedded.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Decoded values under their qualifiers, as a JSON text. */
final class JsonObject {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final ObjectNode node = JSON.createObjectNode();

    void put(String qualifier, Object value) {
        if (value instanceof Long || value instanceof Integer) {
            node.put(qualifier, ((Number) value).longValue());
        } else if (value instanceof Number number) {
            node.put(qualifier, number.doubleValue());
        } else if (value instanceof Boolean flag) {
            node.put(qualifier, flag);
        } else if (value instanceof JsonNode tree) {
            node.set(qualifier, tree);
        } else {
            node.put(qualifier, ShownValues.text(value));
        }
    }

    boolean isEmpty() {
        return node.isEmpty();
    }

    @Override
    public String toString() {
        return node.toString();
    }
}
