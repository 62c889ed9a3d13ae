package io.polytable.entity.layout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Typed access to the fields of a JSON object. Avro's JSON writes a value of a union as an object of one field that
 * names the type.
 */
final class JsonFields {
    private static final Set<String> UNION_TYPES =
            Set.of("string", "int", "long", "boolean", "array", "map", "bytes", "double", "float");

    private final JsonNode node;

    JsonFields(JsonNode node) {
        this.node = unwrapped(node);
        if (!this.node.isObject()) {
            throw new EntityException(EntityError.BAD_LAYOUT, "An object is wanted", Map.of("found", brief(node)));
        }
    }

    static JsonNode unwrapped(JsonNode node) {
        if (node.isObject() && node.size() == 1) {
            String only = node.fieldNames().next();
            if (UNION_TYPES.contains(only) || only.startsWith("org.kiji.")) {
                return node.get(only);
            }
        }
        return node;
    }

    private JsonNode field(String name) {
        JsonNode value = node.path(name);
        return value.isNull() ? MissingNode.getInstance() : unwrapped(value);
    }

    boolean has(String name) {
        return !field(name).isMissingNode();
    }

    JsonNode object(String name) {
        JsonNode value = field(name);
        return value.isMissingNode() ? LayoutJson.JSON.createObjectNode() : value;
    }

    JsonNode node(String name) {
        return field(name);
    }

    List<JsonNode> list(String name) {
        JsonNode value = field(name);
        if (!value.isMissingNode() && !value.isArray()) {
            throw bad(name, "a list", value);
        }
        List<JsonNode> items = new java.util.ArrayList<>();
        value.forEach(items::add);
        return items;
    }

    Optional<String> text(String name) {
        JsonNode value = field(name);
        if (value.isMissingNode()) {
            return Optional.empty();
        }
        if (!value.isTextual() && !value.isIntegralNumber()) {
            throw bad(name, "a text", value);
        }
        return Optional.of(value.asText());
    }

    String required(String name) {
        return text(name)
                .orElseThrow(() -> new EntityException(
                        EntityError.BAD_LAYOUT, "A field is missing", Map.of("field", name, "in", brief(node))));
    }

    OptionalLong number(String name) {
        JsonNode value = field(name);
        if (value.isMissingNode()) {
            return OptionalLong.empty();
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            throw bad(name, "a whole number of 32 bits", value);
        }
        return OptionalLong.of(value.longValue());
    }

    Optional<Boolean> flag(String name) {
        JsonNode value = field(name);
        if (value.isMissingNode()) {
            return Optional.empty();
        }
        if (!value.isBoolean()) {
            throw bad(name, "true or false", value);
        }
        return Optional.of(value.booleanValue());
    }

    <E extends Enum<E>> E choice(String name, Class<E> type, E otherwise) {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        for (E choice : type.getEnumConstants()) {
            if (choice.name().equals(text.get())) {
                return choice;
            }
        }
        throw bad(name, "one of " + Arrays.toString(type.getEnumConstants()), field(name));
    }

    private static EntityException bad(String field, String wanted, JsonNode found) {
        return new EntityException(
                EntityError.BAD_LAYOUT,
                "A field of the layout is wrong",
                Map.of("field", field, "wanted", wanted, "found", brief(found)));
    }

    private static String brief(JsonNode node) {
        String text = node.toString();
        return text.length() > 100 ? text.substring(0, 100) + "..." : text;
    }
}
