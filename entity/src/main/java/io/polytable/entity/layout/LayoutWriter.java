package io.polytable.entity.layout;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/** Writes layouts as JSON, without defaults. */
final class LayoutWriter {
    private LayoutWriter() {}

    static ObjectNode table(TableLayout layout) {
        ObjectNode node = LayoutJson.JSON.createObjectNode();
        node.put("version", "layout-1.5").put("name", layout.name());
        text(node, "description", layout.description());
        text(node, "layout_id", layout.layoutId());
        layout.reference().ifPresent(reference -> node.put("reference_layout", reference));
        node.set("keys_format", KeyJson.write(layout.keys()));
        node.put("column_name_translator", layout.naming().name());
        options(node, layout.options());
        ArrayNode groups = node.putArray("locality_groups");
        layout.groups().forEach(group -> group(groups.addObject(), group));
        texts(node, "retired", layout.retired());
        return node;
    }

    private static void group(ObjectNode node, LocalityGroup group) {
        part(node, group.name(), group.id(), group.description(), group.enabled(), group.aliases(), group.change());
        node.put("max_versions", group.maxVersions()).put("ttl_seconds", group.ttlSeconds());
        node.put("in_memory", group.inMemory()).put("bloom_type", group.bloom().name());
        node.put("compression_type", group.compression().name());
        if (group.blockBytes() > 0) {
            node.put("block_size", group.blockBytes());
        }
        options(node, group.options());
        ArrayNode families = node.putArray("families");
        group.families().forEach(family -> family(families.addObject(), family));
    }

    private static void family(ObjectNode node, FamilyLayout family) {
        part(
                node,
                family.name(),
                family.id(),
                family.description(),
                family.enabled(),
                family.aliases(),
                family.change());
        family.mapSchema().ifPresent(schema -> schema(node.putObject("map_schema"), schema));
        if (!family.isMap()) {
            ArrayNode columns = node.putArray("columns");
            family.columns().forEach(column -> column(columns.addObject(), column));
        }
    }

    private static void column(ObjectNode node, ColumnLayout column) {
        part(
                node,
                column.name(),
                column.id(),
                column.description(),
                column.enabled(),
                column.aliases(),
                column.change());
        schema(node.putObject("column_schema"), column.schema());
    }

    private static void part(
            ObjectNode node,
            String name,
            String id,
            String description,
            boolean enabled,
            List<String> aliases,
            Change change) {
        node.put("name", name);
        text(node, "id", id);
        text(node, "description", description);
        if (!enabled) {
            node.put("enabled", false);
        }
        texts(node, "aliases", aliases);
        if (change.delete()) {
            node.put("delete", true);
        }
        change.renamedFrom().ifPresent(from -> node.put("renamed_from", from));
    }

    private static void schema(ObjectNode node, CellSchema schema) {
        node.put("type", schema.type().name());
        schema.ttlSeconds().ifPresent(seconds -> node.put("ttl_seconds", seconds));
        if (schema.type() == CellType.PROTOBUF) {
            schema.className().ifPresent(name -> node.put("protobuf_class_name", name));
        }
        if (schema.type() != CellType.AVRO) {
            return;
        }
        node.put("storage", schema.storage().name());
        node.put("avro_validation_policy", schema.validation().name());
        schema.className().ifPresent(name -> node.put("specific_reader_schema_class", name));
        schema.defaultReader().ifPresent(reader -> node.set("default_reader", tree(reader)));
        schemas(node.putArray("readers"), schema.readers());
        schemas(node.putArray("writers"), schema.writers());
        if (!schema.written().isEmpty()) {
            schemas(node.putArray("written"), schema.written());
        }
    }

    private static void schemas(ArrayNode list, List<Schema> schemas) {
        schemas.forEach(schema -> list.add(tree(schema)));
    }

    private static JsonNode tree(Schema schema) {
        try {
            return LayoutJson.JSON.readTree(schema.toString());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Avro writes its schemas as JSON", e);
        }
    }

    private static void text(ObjectNode node, String field, String text) {
        if (!text.isEmpty()) {
            node.put(field, text);
        }
    }

    private static void texts(ObjectNode node, String field, Collection<String> texts) {
        if (!texts.isEmpty()) {
            ArrayNode list = node.putArray(field);
            texts.forEach(list::add);
        }
    }

    private static void options(ObjectNode node, Map<String, String> options) {
        if (!options.isEmpty()) {
            ObjectNode object = node.putObject("options");
            options.forEach(object::put);
        }
    }
}
