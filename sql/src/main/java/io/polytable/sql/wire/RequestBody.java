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
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decoded JSON body of a request.
 *
 * @param session empty for none, {@code new} to open one, otherwise the id that the server assigned
 */
@SuppressWarnings("ArrayRecordComponent") // Bodies are never compared, and the array belongs to this request.
record RequestBody(String sql, @Nullable Object[] parameters, Optional<String> namespace, String session) {
    static final int PARAMETERS_MAX = 1000;

    private static final String SQL = "sql";
    private static final String PARAMS = "params";
    private static final String NAMESPACE = "namespace_id";
    private static final String SESSION = "session_id";

    /** A field that is not known is an error: the client asks for something that it would not get. */
    private static final Set<String> FIELDS = Set.of(SQL, PARAMS, NAMESPACE, SESSION);

    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    static RequestBody of(Bytes body) {
        JsonNode root = parse(body);
        if (!(root instanceof ObjectNode) || !root.path(SQL).isTextual()) {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "the body must be a JSON object with the field \"sql\"");
        }
        for (Iterator<String> names = root.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!FIELDS.contains(name)) {
                throw new SqlError(SqlCode.INVALID_PARAMETER, "the body has an unknown field \"" + name + "\"");
            }
        }
        return new RequestBody(
                root.path(SQL).asText(),
                parameters(root.path(PARAMS)),
                text(root, NAMESPACE),
                text(root, SESSION).orElse(""));
    }

    private static @Nullable Object[] parameters(JsonNode given) {
        if (!given.isArray() && !given.isMissingNode() && !given.isNull()) {
            throw new SqlError(SqlCode.INVALID_PARAMETER, "the field \"params\" must be a list");
        }
        if (given.size() > PARAMETERS_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "at most " + PARAMETERS_MAX + " parameters");
        }
        @Nullable Object[] parameters = new Object[given.size()];
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = value(given.get(i));
        }
        return parameters;
    }

    /** An optional text; {@code null} is the same as an absent field. */
    private static Optional<String> text(JsonNode root, String name) {
        JsonNode node = root.path(name);
        if (node.isMissingNode() || node.isNull()) {
            return Optional.empty();
        }
        if (!node.isTextual()) {
            throw new SqlError(SqlCode.INVALID_PARAMETER, "the field \"" + name + "\" must be a string");
        }
        return Optional.of(node.asText());
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
