package io.polytable.sql.tier.storage;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** Definitions of storages as JSON rows of the store. */
final class StorageJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private StorageJson() {}

    static String text(StorageDef storage) {
        ObjectNode node = MAPPER.createObjectNode();
        node.put("format", 1);
        node.put("id", storage.id());
        node.put("type", storage.type().name());
        node.put("base", storage.base());
        node.put("user_template", storage.userTemplate());
        node.put("shared_template", storage.sharedTemplate());
        node.put("created_at", storage.createdAt().toString());
        ObjectNode options = node.putObject("options");
        new TreeMap<>(storage.options()).forEach(options::put);
        return node.toPrettyString();
    }

    static StorageDef parse(String json) {
        try {
            JsonNode node = MAPPER.readTree(json);
            Map<String, String> options = new TreeMap<>();
            node.get("options")
                    .properties()
                    .forEach(entry ->
                            options.put(entry.getKey(), entry.getValue().asText()));
            return new StorageDef(
                    node.get("id").asText(),
                    StorageDef.Type.valueOf(node.get("type").asText()),
                    node.get("base").asText(),
                    options,
                    node.get("user_template").asText(),
                    node.get("shared_template").asText(),
                    Instant.parse(node.get("created_at").asText()));
        } catch (JsonProcessingException damaged) {
            throw new StoreException(StoreError.CORRUPT, "A storage's definition is not JSON", Map.of(), damaged);
        }
    }
}
