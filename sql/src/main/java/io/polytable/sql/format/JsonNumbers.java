package io.polytable.sql.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parts of JSON documents with numbers as they are written, which a DOUBLE would change. */
public final class JsonNumbers {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();

    /** A step of a path: {@code ."key"}, {@code [0]} or, from the end, {@code [#-1]}. */
    private static final Pattern STEP = Pattern.compile("\\.\"([^\"]*)\"|\\[(#?)(-?\\d+)]");

    /** Written in full, a number with a larger exponent would be a long text. */
    private static final int EXPONENT_MAX = 400;

    private JsonNumbers() {}

    /** The part of a document at a path as JSON; null if there is none. */
    public static @Nullable String part(String document, String path) {
        JsonNode part = at(document, path);
        if (part.isMissingNode()) {
            return null;
        }
        if (part.isBigDecimal() && Math.abs((long) part.decimalValue().scale()) <= EXPONENT_MAX) {
            BigDecimal number = part.decimalValue();
            return number.toPlainString();
        }
        return part.toString();
    }

    private static JsonNode at(String document, String path) {
        JsonNode node = parsed(document);
        if (path.startsWith("/")) {
            return node.at(path);
        }
        Matcher step = STEP.matcher(path);
        while (step.find()) {
            if (step.group(1) != null) {
                node = node.path(step.group(1));
            } else {
                int index = Integer.parseInt(step.group(3));
                boolean fromEnd = !step.group(2).isEmpty();
                node = node.isArray()
                        ? node.path(fromEnd ? node.size() + index : index)
                        : node.path("").path(0);
            }
        }
        return node;
    }

    private static JsonNode parsed(String document) {
        try {
            return MAPPER.readTree(document);
        } catch (JsonProcessingException malformed) {
            throw new SqlError(SqlCode.INVALID_VALUE, "invalid input syntax for type json");
        }
    }
}
