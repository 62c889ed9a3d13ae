package io.polytable.entity.key;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.table.Bytes;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Entity ids as people type and read them:
 *
 * <pre>
 * alice                   one text component
 * ['alice', 42]           a JSON array of components; single quotes will do
 * utf8:x  hex:00ff  url:%00   one component of bytes
 * key=hex:0a0b            the row key itself (also hbase=)
 * </pre>
 */
public final class EntityIdText {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** Prefixes of texts with a special meaning. */
    private static final List<String> PREFIXES = List.of("[", "utf8:", "hex:", "url:", "key=", "hbase=");

    private EntityIdText() {}

    public static EntityId parse(KeyFormat format, String text) {
        for (String prefix : List.of("key=", "hbase=")) {
            if (text.startsWith(prefix)) {
                return ofRowKey(format, KeyFormat.checked(bytes(text.substring(prefix.length()))));
            }
        }
        if (text.startsWith("[")) {
            return format.id(components(text));
        }
        if (format instanceof FormattedKeys formatted
                && formatted.components().get(0).type() != ComponentType.STRING) {
            return format.id(components("[" + text + "]"));
        }
        boolean isBytes = text.startsWith("hex:") || text.startsWith("url:");
        return format.id(isBytes ? bytes(text) : text.startsWith("utf8:") ? text.substring("utf8:".length()) : text);
    }

    /** A key whose hash does not match its components can only be written as a row key. */
    private static EntityId ofRowKey(KeyFormat format, Bytes rowKey) {
        EntityId id = format.ofRowKey(rowKey);
        boolean isNamed = !id.components().isEmpty()
                && !format.id(id.components().toArray()).equals(id);
        return isNamed ? new EntityId(rowKey, List.of()) : id;
    }

    /** The components of a JSON array, for ids and for the starts of ranges. */
    public static @Nullable Object[] components(String json) {
        try {
            JsonNode array = JSON.readTree(json);
            if (!array.isArray()) {
                throw new EntityException(
                        EntityError.BAD_ENTITY_ID, "Components are a JSON array", Map.of("text", json));
            }
            @Nullable Object[] components = new @Nullable Object[array.size()];
            for (int i = 0; i < components.length; i++) {
                components[i] = component(array.get(i), json);
            }
            return components;
        } catch (JsonProcessingException e) {
            throw new EntityException(EntityError.BAD_ENTITY_ID, "Not an entity id", Map.of("text", json), e);
        }
    }

    private static @Nullable Object component(JsonNode node, String json) {
        if (node.isNull()) {
            return null;
        }
        if (node.isTextual()) {
            return node.textValue();
        }
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            return node.longValue();
        }
        throw new EntityException(
                EntityError.BAD_ENTITY_ID, "A component is a text, a whole number or null", Map.of("text", json));
    }

    private static Bytes bytes(String text) {
        try {
            if (text.startsWith("hex:")) {
                return Bytes.of(HexFormat.of().parseHex(text.substring("hex:".length())));
            }
            if (text.startsWith("url:")) {
                String escaped = text.substring("url:".length()).replace("+", "%2B");
                return Bytes.of(
                        URLDecoder.decode(escaped, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.ISO_8859_1));
            }
        } catch (IllegalArgumentException e) {
            throw new EntityException(EntityError.BAD_ENTITY_ID, "Not an entity id", Map.of("text", text), e);
        }
        return Bytes.utf8(text.startsWith("utf8:") ? text.substring("utf8:".length()) : text);
    }

    static String of(EntityId id) {
        List<@Nullable Object> components = id.components();
        if (components.isEmpty()) {
            return "key=" + hex(id.rowKey());
        }
        if (components.size() == 1 && components.get(0) instanceof String text && isPlain(text)) {
            return text;
        }
        if (components.size() == 1 && !(components.get(0) instanceof String || components.get(0) instanceof Number)) {
            return components.get(0) instanceof Bytes bytes ? hex(bytes) : "key=" + hex(id.rowKey());
        }
        try {
            return JSON.writeValueAsString(components);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Texts, numbers and nulls are JSON", e);
        }
    }

    /** Whether the text would be read back as itself. */
    private static boolean isPlain(String text) {
        return !text.isEmpty()
                && text.chars().noneMatch(Character::isISOControl)
                && PREFIXES.stream().noneMatch(text::startsWith);
    }

    private static String hex(Bytes bytes) {
        return "hex:" + HexFormat.of().formatHex(bytes.toByteArray());
    }
}
