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

/** PostgreSQL's operators of documents, on their texts. */
public final class JsonFunctions {
    /** Numbers keep the digits that they were written with. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private JsonFunctions() {}

    /** {@code a || b}: the members of both objects, the later one's where both have one; otherwise a list of both. */
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

    /** {@code document - 'key'}: an object without that member, a list without that text. */
    public static String without(String document, String key) {
        JsonNode node = parse(document);
        if (node instanceof ObjectNode object) {
            object.remove(key);
        } else if (node instanceof ArrayNode list) {
            for (int i = list.size() - 1; i >= 0; i--) {
                if (list.get(i).isTextual() && list.get(i).textValue().equals(key)) {
                    list.remove(i);
                }
            }
        } else {
            throw new SqlError(SqlCode.INVALID_PARAMETER, "cannot delete from scalar");
        }
        return node.toString();
    }

    /** {@code document - 0}: a list without the element there, counted from its end where negative. */
    public static String withoutAt(String document, String index) {
        JsonNode node = parse(document);
        if (!(node instanceof ArrayNode list)) {
            throw new SqlError(
                    SqlCode.INVALID_PARAMETER,
                    node.isObject() ? "cannot delete from object using integer index" : "cannot delete from scalar");
        }
        long at = Long.parseLong(index);
        long place = at < 0 ? list.size() + at : at;
        if (place >= 0 && place < list.size()) {
            list.remove((int) place);
        }
        return list.toString();
    }

    /** Whether an object has that member, a list that text. */
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

    private static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException bad) {
            throw new SqlError(SqlCode.INVALID_VALUE, "invalid input syntax for type json: \"" + text + "\"");
        }
    }
}
