package io.polytable.sql.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The decoded JSON body of a request.
 *
 * @param session empty for none, {@code new} to open one, otherwise the id that the server assigned
 */
@SuppressWarnings("ArrayRecordComponent") // Bodies are never compared, and the array belongs to this request.
record RequestBody(String sql, @Nullable Object[] parameters, Optional<String> namespace, String session) {
    static final int PARAMETERS_MAX = 1000;

    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    static RequestBody of(Bytes body) {
        JsonNode root = parse(body);
        if (!(root instanceof ObjectNode) || !root.path("sql").isTextual()) {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "the body has to be a JSON object with the field \"sql\"");
        }
        JsonNode given = root.path("params");
        if (given.size() > PARAMETERS_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "at most " + PARAMETERS_MAX + " parameters");
        }
        @Nullable Object[] parameters = new Object[given.size()];
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = value(given.get(i));
        }
        JsonNode namespace = root.path("namespace_id");
        return new RequestBody(
                root.path("sql").asText(),
                parameters,
                namespace.isTextual() ? Optional.of(namespace.asText()) : Optional.empty(),
                root.path("session_id").asText(""));
    }

    private static JsonNode parse(Bytes body) {
        try {
            return MAPPER.readTree(body.array(), body.offset(), body.length());
        } catch (JsonProcessingException malformed) {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "the body is not JSON: " + malformed.getOriginalMessage());
        } catch (IOException impossible) {
            throw new IllegalStateException("Reading an array failed", impossible);
        }
    }

    private static @Nullable Object value(JsonNode node) {
        if (node.isNull()) {
            return null;
        }
        if (node.isBoolean()) {
            return node.asBoolean();
        }
        if (node.isInt()) {
            return node.asInt();
        }
        if (node.isLong()) {
            return node.asLong();
        }
        if (node.isNumber()) {
            return node.decimalValue();
        }
        // A list or an object is passed as JSON text.
        return node.isTextual() ? node.asText() : node.toString();
    }
}
