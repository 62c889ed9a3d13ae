package io.polytable.entity.meta;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.StoreRecords;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The records of an instance as JSON, without those that a store generates. Cells reference schemas by number and
 * columns by id, so both are restored exactly, never regenerated.
 */
public final class MetadataBackup {
    private static final String FORMAT = "polytable-entity-metadata-1";
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** The parts that can be backed up and restored separately. */
    public enum Part {
        SCHEMAS,
        SYSTEM,
        /** Current layouts, their history, notes and permissions. */
        TABLES;

        List<String> prefixes() {
            return switch (this) {
                case SCHEMAS -> List.of("schema/");
                case SYSTEM -> List.of("system/");
                case TABLES -> List.of("table/", "layout/", "note/", "grant/");
            };
        }

        boolean has(String key) {
            return prefixes().stream().anyMatch(key::startsWith);
        }
    }

    private MetadataBackup() {}

    /** All records of the parts, without those of tables that are being dropped. */
    public static String write(StoreRecords records, Set<Part> parts) {
        ObjectNode root = JSON.createObjectNode().put("format", FORMAT);
        ObjectNode all = root.putObject("records");
        List<String> dropping = new ArrayList<>();
        records.withPrefix(LayoutTable.CURRENT).forEach((key, value) -> {
            if (LayoutTable.isDropping(value)) {
                String table = key.substring(LayoutTable.CURRENT.length());
                dropping.addAll(List.of(key, "layout/" + table + "/", "note/" + table + "/", "grant/t/" + table + "/"));
            }
        });
        for (Part part : parts) {
            for (String prefix : part.prefixes()) {
                records.withPrefix(prefix).forEach((key, value) -> {
                    boolean isLeft = dropping.stream()
                            .anyMatch(left -> left.endsWith("/") ? key.startsWith(left) : key.equals(left));
                    if (!isLeft) {
                        all.put(key, value.utf8());
                    }
                });
            }
        }
        try {
            return JSON.writeValueAsString(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Texts are JSON", e);
        }
    }

    /** The records that a backup has of the parts. */
    public static NavigableMap<String, Bytes> read(String json, Set<Part> parts) {
        try {
            JsonNode root = JSON.readTree(json);
            if (!root.path("format").asText().equals(FORMAT)
                    || !root.path("records").isObject()) {
                throw new EntityException(
                        EntityError.BAD_REQUEST,
                        "Not a backup of metadata, or of a version that this code does not know",
                        Map.of("known", FORMAT));
            }
            NavigableMap<String, Bytes> found = new TreeMap<>();
            root.path("records").properties().forEach(field -> {
                if (parts.stream().anyMatch(part -> part.has(field.getKey()))) {
                    found.put(field.getKey(), Bytes.utf8(field.getValue().asText()));
                }
            });
            return found;
        } catch (JsonProcessingException e) {
            throw new EntityException(EntityError.BAD_REQUEST, "Not JSON", Map.of("reason", e.getOriginalMessage()), e);
        }
    }

    public static Set<Part> everything() {
        return EnumSet.allOf(Part.class);
    }

    /** Keys of existing schemas and current layouts with another value: a restore would overwrite them. */
    public static List<String> conflicts(StoreRecords records, NavigableMap<String, Bytes> wanted) {
        List<String> conflicts = new ArrayList<>();
        wanted.forEach((key, value) -> {
            boolean isFixed =
                    key.startsWith("schema/id/") || key.startsWith("schema/hash/") || key.startsWith("table/");
            if (isFixed) {
                records.get(key).filter(present -> !present.equals(value)).ifPresent(present -> conflicts.add(key));
            }
        });
        return conflicts;
    }
}
