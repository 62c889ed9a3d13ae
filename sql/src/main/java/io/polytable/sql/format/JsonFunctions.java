package io.polytable.sql.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** PostgreSQL's JSON operators, on JSON text. */
public final class JsonFunctions {
    /** Numbers keep the digits as written. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private JsonFunctions() {}

    /** {@code a || b}: two objects are merged, the second one winning; all else is concatenated to an array. */
    public static String concat(String a, String b) {
        JsonNode left = parse(a);
        JsonNode right = parse(b);
        if (left instanceof ObjectNode object && right instanceof ObjectNode other) {
            object.setAll(other);
            return object.toString();
        }
        ArrayNode list = MAPPER.createArrayNode();
        addAll(list, left);
        addAll(list, right);
        return list.toString();
    }

    private static void addAll(ArrayNode list, JsonNode items) {
        if (items.isArray()) {
            list.addAll((ArrayNode) items);
        } else {
            list.add(items);
        }
    }

    /**
     * {@code document - key}: an object without that member, or an array without that string; an array of keys removes
     * each of them, and a number removes the element at that index.
     *
     * @param key as JSON, which determines its type
     */
    public static @Nullable String without(String document, String key) {
        JsonNode what = parse(key);
        if (what.isNull()) {
            return null;
        }
        JsonNode node = parse(document);
        if (!node.isContainerNode()) {
            throw new SqlError(SqlCode.INVALID_PARAMETER, "cannot delete from scalar");
        }
        if (what.isIntegralNumber() && what.canConvertToLong()) {
            return withoutAt(node, what.longValue());
        }
        if (!what.isTextual() && !what.isArray()) {
            throw new SqlError(SqlCode.UNDEFINED_FUNCTION, "operator does not exist: jsonb - " + key);
        }
        Set<String> keys = new HashSet<>();
        for (JsonNode one : what.isArray() ? what : MAPPER.createArrayNode().add(what)) {
            if (one.isTextual()) {
                keys.add(one.textValue());
            }
        }
        if (node instanceof ObjectNode object) {
            return object.remove(keys).toString();
        }
        ArrayNode rest = MAPPER.createArrayNode();
        for (JsonNode item : node) {
            if (!item.isTextual() || !keys.contains(item.textValue())) {
                rest.add(item);
            }
        }
        return rest.toString();
    }

    /** An array without the element at the index, which counts from the end if negative. */
    private static String withoutAt(JsonNode node, long at) {
        if (!(node instanceof ArrayNode list)) {
            throw new SqlError(SqlCode.INVALID_PARAMETER, "cannot delete from object using integer index");
        }
        long place = at < 0 ? list.size() + at : at;
        if (place >= 0 && place < list.size()) {
            list.remove((int) place);
        }
        return list.toString();
    }

    /** Whether an object has that member, or an array that string. */
    public static boolean has(String document, String key) {
        JsonNode node = parse(document);
        if (node.isObject()) {
            return node.has(key);
        }
        for (JsonNode item : node.isArray() ? node : MAPPER.createArrayNode().add(node)) {
            if (item.isTextual() && item.textValue().equals(key)) {
                return true;
            }
        }
        return false;
    }

    /**
     * {@code jsonb_set}: the document with another value at the end of the path. Without all but the last step of the path
     * it stays as it is.
     *
     * @param path a JSON list of text
     * @param create whether a missing member or element is added
     */
    public static String set(String document, String path, String value, boolean create) {
        JsonNode root = parse(document);
        if (!root.isContainerNode()) {
            throw new SqlError(SqlCode.INVALID_PARAMETER, "cannot set path in scalar");
        }
        JsonNode steps = parse(path);
        JsonNode place = root;
        for (int i = 0; i < steps.size() - 1; i++) {
            place = place instanceof ArrayNode list ? list.path(index(list, steps, i)) : place.path(step(steps, i));
        }
        int last = steps.size() - 1;
        if (last >= 0 && place instanceof ObjectNode object) {
            if (create || object.has(step(steps, last))) {
                object.set(step(steps, last), parse(value));
            }
        } else if (last >= 0 && place instanceof ArrayNode list) {
            setAt(list, index(list, steps, last), parse(value), create);
        }
        return root.toString();
    }

    private static void setAt(ArrayNode list, int index, JsonNode value, boolean create) {
        if (index >= 0 && index < list.size()) {
            list.set(index, value);
        } else if (create) {
            list.insert(Math.max(0, index), value);
        }
    }

    private static String step(JsonNode steps, int position) {
        if (!steps.get(position).isTextual()) {
            throw new SqlError(SqlCode.NULL_NOT_ALLOWED, "path element at position " + (position + 1) + " is null");
        }
        return steps.get(position).textValue();
    }

    /** The step as the index of an element; negative ones count from the end of the list. */
    private static int index(ArrayNode list, JsonNode steps, int position) {
        try {
            int index = Integer.parseInt(step(steps, position).strip());
            return index < 0 ? list.size() + index : index;
        } catch (NumberFormatException bad) {
            throw new SqlError(
                    SqlCode.INVALID_VALUE,
                    "path element at position " + (position + 1) + " is not an integer: \"" + step(steps, position)
                            + "\"");
        }
    }

    private static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException bad) {
            throw new SqlError(SqlCode.INVALID_VALUE, "invalid input syntax for type json: \"" + text + "\"");
        }
    }
}
