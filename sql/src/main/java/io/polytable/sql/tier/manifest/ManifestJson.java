package io.polytable.sql.tier.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Manifests as JSON (docs/formats/tiering.md). */
public final class ManifestJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    /** 2 added the checksums of files. */
    private static final int FORMAT = 2;

    private ManifestJson() {}

    public static String text(Manifest manifest) {
        ObjectNode node = MAPPER.createObjectNode();
        node.put("format", FORMAT);
        node.put("table", manifest.table());
        node.put("table_id", manifest.tableId());
        node.put("user_id", manifest.scope());
        node.put("version", manifest.version());
        node.put("updated_at", manifest.updatedAt().toString());
        ObjectNode schemas = node.putObject("schemas");
        new TreeMap<>(manifest.schemas()).forEach((version, columns) -> {
            ArrayNode list = schemas.putArray(Integer.toString(version));
            columns.forEach(column -> list.addObject()
                    .put("id", column.id())
                    .put("name", column.name())
                    .put("type", column.type()));
        });
        ArrayNode segments = node.putArray("segments");
        manifest.segments().forEach(segment -> write(segments.addObject(), segment));
        return node.toPrettyString();
    }

    private static void write(ObjectNode node, Segment segment) {
        node.put("id", segment.id());
        node.put("order", segment.order());
        node.put("storage", segment.storage());
        node.put("path", segment.path());
        node.put("schema_version", segment.schemaVersion());
        node.put("rows", segment.rows());
        node.put("tombstones", segment.tombstones());
        node.put("replaces", segment.replaces());
        node.put("bytes", segment.bytes());
        segment.sha256().ifPresent(checksum -> node.put("sha256", checksum));
        node.put("min_key", hex(segment.minKey()));
        node.put("max_key", hex(segment.maxKey()));
        node.put("created_at", segment.createdAt().toString());
    }

    private static String hex(Bytes bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    public static Manifest parse(String json) {
        try {
            JsonNode node = MAPPER.readTree(json);
            if (node.path("format").asInt(FORMAT + 1) > FORMAT) {
                throw new StoreException(StoreError.NEWER_FORMAT, "A manifest was written by newer code");
            }
            Map<Integer, List<FileColumn>> schemas = new TreeMap<>();
            node.get("schemas").properties().forEach(entry -> {
                List<FileColumn> columns = new ArrayList<>();
                entry.getValue()
                        .forEach(column -> columns.add(new FileColumn(
                                column.get("id").asInt(),
                                column.get("name").asText(),
                                column.get("type").asText())));
                schemas.put(Integer.parseInt(entry.getKey()), columns);
            });
            List<Segment> segments = new ArrayList<>();
            node.get("segments").forEach(segment -> segments.add(segment(segment)));
            return new Manifest(
                    node.get("table").asText(),
                    node.get("table_id").asInt(),
                    node.get("user_id").asText(),
                    node.get("version").asLong(),
                    Instant.parse(node.get("updated_at").asText()),
                    schemas,
                    segments);
        } catch (JsonProcessingException | RuntimeException damaged) {
            if (damaged instanceof StoreException known) {
                throw known;
            }
            throw new StoreException(StoreError.CORRUPT, "A manifest cannot be read", Map.of(), damaged);
        }
    }

    private static Segment segment(JsonNode node) {
        return new Segment(
                node.get("id").asLong(),
                node.get("order").asLong(),
                node.get("storage").asText(),
                node.get("path").asText(),
                node.get("schema_version").asInt(),
                node.get("rows").asLong(),
                node.get("tombstones").asLong(),
                node.get("replaces").asLong(),
                node.get("bytes").asLong(),
                Optional.ofNullable(node.get("sha256")).map(JsonNode::asText),
                bytes(node.get("min_key")),
                bytes(node.get("max_key")),
                Instant.parse(node.get("created_at").asText()));
    }

    private static Bytes bytes(JsonNode hex) {
        return Bytes.of(HexFormat.of().parseHex(hex.asText()));
    }
}
