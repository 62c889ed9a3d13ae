package io.polytable.entity.layout;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import org.apache.avro.Schema;

/**
 * Parses layouts from JSON with Kiji's field names. Kiji's own layouts are accepted: values in a one-field object that
 * names their type, numbers of schemas in a schema table, inline schemas and classes.
 */
public final class LayoutJson {
    public static final int LENGTH_MAX = 8 << 20;

    static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private final SchemaJson schemas;

    private LayoutJson(LongFunction<Optional<Schema>> byId) {
        schemas = new SchemaJson(byId);
    }

    public static TableLayout parse(String json) {
        return parse(json, id -> Optional.empty());
    }

    /**
     * Parses a layout.
     *
     * @param schemasById resolves numbers of schemas
     */
    public static TableLayout parse(String json, LongFunction<Optional<Schema>> schemasById) {
        if (json.length() > LENGTH_MAX) {
            throw new EntityException(EntityError.TOO_LARGE, "A layout is too long", Map.of("length", json.length()));
        }
        try {
            return new LayoutJson(schemasById).table(new JsonFields(JSON.readTree(json)));
        } catch (JsonProcessingException e) {
            throw new EntityException(EntityError.BAD_LAYOUT, "Not JSON", Map.of("reason", e.getOriginalMessage()), e);
        }
    }

    public static String write(TableLayout layout) {
        try {
            return JSON.writeValueAsString(LayoutWriter.table(layout));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A tree of JSON can be written", e);
        }
    }

    private TableLayout table(JsonFields fields) {
        List<LocalityGroup> groups = new ArrayList<>();
        for (JsonNode group : fields.list("locality_groups")) {
            groups.add(group(new JsonFields(group)));
        }
        Set<String> retired = new HashSet<>();
        fields.list("retired").forEach(id -> retired.add(id.asText()));
        return new TableLayout(
                fields.required("name"),
                fields.text("description").orElse(""),
                fields.text("layout_id").orElse(""),
                fields.text("reference_layout"),
                KeyJson.read(fields.object("keys_format")),
                naming(fields.text("column_name_translator").orElse("IDENTITY")),
                groups,
                options(fields),
                retired);
    }

    private static IdNaming naming(String text) {
        return switch (text) {
            case "SHORT" -> IdNaming.SHORT;
            case "IDENTITY", "HBASE_NATIVE" -> IdNaming.IDENTITY;
            default ->
                throw new EntityException(
                        EntityError.BAD_LAYOUT, "Not a column name translator", Map.of("value", text));
        };
    }

    private LocalityGroup group(JsonFields fields) {
        List<FamilyLayout> families = new ArrayList<>();
        for (JsonNode family : fields.list("families")) {
            families.add(family(new JsonFields(family)));
        }
        return new LocalityGroup(
                fields.required("name"),
                id(fields),
                aliases(fields),
                fields.flag("enabled").orElse(true),
                fields.text("description").orElse(""),
                Math.toIntExact(fields.number("max_versions").orElse(1)),
                fields.number("ttl_seconds").orElse(LocalityGroup.FOREVER),
                fields.flag("in_memory").orElse(false),
                fields.choice("bloom_type", BloomType.class, BloomType.NONE),
                fields.choice("compression_type", CompressionType.class, CompressionType.NONE),
                Math.toIntExact(fields.number("block_size").orElse(0)),
                options(fields),
                families,
                change(fields));
    }

    private FamilyLayout family(JsonFields fields) {
        List<ColumnLayout> columns = new ArrayList<>();
        for (JsonNode column : fields.list("columns")) {
            columns.add(column(new JsonFields(column)));
        }
        return new FamilyLayout(
                fields.required("name"),
                id(fields),
                aliases(fields),
                fields.flag("enabled").orElse(true),
                fields.text("description").orElse(""),
                fields.has("map_schema") ? Optional.of(schemas.read(fields.object("map_schema"))) : Optional.empty(),
                columns,
                change(fields));
    }

    private ColumnLayout column(JsonFields fields) {
        Change change = change(fields);
        boolean isSaid = fields.has("column_schema") || !change.delete();
        return new ColumnLayout(
                fields.required("name"),
                id(fields),
                aliases(fields),
                fields.flag("enabled").orElse(true),
                fields.text("description").orElse(""),
                // A deleted column needs no schema.
                isSaid ? schemas.read(fields.object("column_schema")) : CellSchema.bytes(),
                change);
    }

    /** Kiji numbers its parts; only our own textual ids count. */
    private static String id(JsonFields fields) {
        return fields.text("id").filter(id -> !id.matches("[0-9]+")).orElse("");
    }

    private static List<String> aliases(JsonFields fields) {
        List<String> aliases = new ArrayList<>();
        fields.list("aliases").forEach(alias -> aliases.add(alias.asText()));
        return aliases;
    }

    private static Map<String, String> options(JsonFields fields) {
        Map<String, String> options = new HashMap<>();
        fields.object("options")
                .properties()
                .forEach(entry -> options.put(entry.getKey(), entry.getValue().asText()));
        for (String sized : List.of("max_filesize", "memstore_flushsize")) {
            fields.number(sized).ifPresent(number -> options.put(sized, String.valueOf(number)));
        }
        return options;
    }

    private static Change change(JsonFields fields) {
        return new Change(fields.flag("delete").orElse(false), fields.text("renamed_from"));
    }
}
