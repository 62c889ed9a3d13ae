package io.polytable.entity.layout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.entity.key.ComponentType;
import io.polytable.entity.key.FormattedKeys;
import io.polytable.entity.key.KeyComponent;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Key formats as JSON. */
final class KeyJson {
    private static final int WHOLE_HASH = 16;

    private KeyJson() {}

    static KeyFormat read(JsonNode node) {
        JsonFields fields = new JsonFields(node);
        String encoding = fields.text("encoding").orElse("FORMATTED");
        return switch (encoding) {
            case "RAW" -> new KeyFormat.Raw();
            case "HASH" -> new KeyFormat.Hashed();
            case "HASH_PREFIX" ->
                new KeyFormat.HashPrefixed(
                        Math.toIntExact(fields.number("hash_size").orElse(WHOLE_HASH)));
            case "FORMATTED" -> formatted(fields);
            default ->
                throw new EntityException(
                        EntityError.BAD_LAYOUT, "Not an encoding of keys", Map.of("encoding", encoding));
        };
    }

    private static KeyFormat formatted(JsonFields fields) {
        List<KeyComponent> components = new ArrayList<>();
        for (JsonNode component : fields.list("components")) {
            JsonFields named = new JsonFields(component);
            components.add(new KeyComponent(
                    named.required("name"), named.choice("type", ComponentType.class, ComponentType.STRING)));
        }
        int count = components.size();
        int nullable = Math.toIntExact(fields.number("nullable_start_index").orElse(Math.max(1, count)));
        JsonFields salt = new JsonFields(fields.object("salt"));
        boolean isSalted = fields.has("salt");
        int saltBytes = isSalted ? Math.toIntExact(salt.number("hash_size").orElse(2)) : 0;
        boolean hashOnly = salt.flag("suppress_key_materialization").orElse(false);
        int range = Math.toIntExact(
                fields.number("range_scan_start_index").orElse(isSalted && !hashOnly ? 1 : Math.max(1, count)));
        return new FormattedKeys(components, saltBytes, hashOnly, range, nullable);
    }

    static ObjectNode write(KeyFormat keys) {
        ObjectNode node = LayoutJson.JSON.createObjectNode();
        if (keys instanceof KeyFormat.HashPrefixed prefixed) {
            return node.put("encoding", "HASH_PREFIX").put("hash_size", prefixed.hashBytes());
        }
        if (!(keys instanceof FormattedKeys formatted)) {
            return node.put("encoding", keys instanceof KeyFormat.Raw ? "RAW" : "HASH");
        }
        node.put("encoding", "FORMATTED");
        ArrayNode components = node.putArray("components");
        formatted
                .components()
                .forEach(component -> components
                        .addObject()
                        .put("name", component.name())
                        .put("type", component.type().name()));
        node.put("nullable_start_index", formatted.nullableStart());
        node.put("range_scan_start_index", formatted.rangeScanStart());
        if (formatted.saltBytes() > 0) {
            node.putObject("salt")
                    .put("hash_type", "MD5")
                    .put("hash_size", formatted.saltBytes())
                    .put("suppress_key_materialization", formatted.hashOnly());
        }
        return node;
    }
}
