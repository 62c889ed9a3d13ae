package io.polytable.sql.model.definition;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.sql.type.SqlType;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Definitions as JSON, for the catalog's rows and the files {@code schema_vN.json} (docs/formats/sql.md). */
public final class DefinitionJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Of definitions without row security, which every version reads. */
    private static final int FORMAT = 1;

    /** Of tables with row security: a version that does not know it must not open them and show all rows. */
    private static final int FORMAT_SECURED = 2;

    private DefinitionJson() {}

    public static String table(TableDef table) {
        ObjectNode node = start(table.name(), table.createdAt());
        node.put("physical", table.physical().name());
        node.put("kind", table.kind().name());
        node.put("version", table.version());
        node.put("next_id", table.nextId());
        node.put("next_place", table.nextPlace());
        put(node, "comment", table.comment());
        ArrayNode columns = node.putArray("columns");
        table.columns().forEach(column -> columns.add(column(column)));
        ArrayNode key = node.putArray("primary_key");
        table.key().forEach(key::add);
        ArrayNode indexes = node.putArray("indexes");
        table.indexes().forEach(index -> indexes.add(index(index)));
        ArrayNode checks = node.putArray("checks");
        table.checks().forEach(checks::add);
        ObjectNode options = node.putObject("options");
        new TreeMap<>(table.options()).forEach(options::put);
        if (!table.security().equals(RowSecurity.NONE)) {
            node.put("format", FORMAT_SECURED);
            put(node, table.security());
        }
        return node.toPrettyString();
    }

    private static void put(ObjectNode node, RowSecurity security) {
        node.put("row_security", security.enabled());
        ArrayNode policies = node.putArray("policies");
        for (PolicyDef policy : security.policies()) {
            ObjectNode one = policies.addObject();
            one.put("name", policy.name());
            one.put("permissive", policy.permissive());
            one.put("command", policy.command().name());
            ArrayNode roles = one.putArray("roles");
            policy.roles().forEach(roles::add);
            put(one, "using", policy.using().orElse(null));
            put(one, "check", policy.check().orElse(null));
        }
    }

    private static RowSecurity security(JsonNode node) {
        if (!node.has("policies")) {
            return RowSecurity.NONE;
        }
        List<PolicyDef> policies = new ArrayList<>();
        node.get("policies")
                .forEach(policy -> policies.add(new PolicyDef(
                        policy.get("name").asText(),
                        policy.get("permissive").asBoolean(),
                        PolicyDef.Command.valueOf(policy.get("command").asText()),
                        strings(policy.get("roles")),
                        Optional.ofNullable(text(policy, "using")),
                        Optional.ofNullable(text(policy, "check")))));
        return new RowSecurity(node.get("row_security").asBoolean(), policies);
    }

    private static ObjectNode start(TableName name, Instant createdAt) {
        ObjectNode node = MAPPER.createObjectNode();
        node.put("format", FORMAT);
        node.put("namespace", name.namespace());
        node.put("name", name.name());
        node.put("created_at", createdAt.toString());
        return node;
    }

    private static ObjectNode column(ColumnDef column) {
        ObjectNode node = MAPPER.createObjectNode();
        node.put("id", column.id());
        node.put("name", column.name());
        node.put("type", column.type().text());
        node.put("not_null", column.notNull());
        node.put("place", column.place());
        put(node, "default", column.defaultText());
        put(node, "initial", column.initialText());
        put(node, "comment", column.comment());
        return node;
    }

    private static ObjectNode index(IndexDef index) {
        ObjectNode node = MAPPER.createObjectNode();
        node.put("name", index.name());
        node.put("unique", index.unique());
        node.put("physical", index.physical());
        ArrayNode columns = node.putArray("columns");
        index.columns().forEach(columns::add);
        return node;
    }

    private static void put(ObjectNode node, String field, @Nullable String value) {
        if (value != null) {
            node.put(field, value);
        }
    }

    public static TableDef table(String json) {
        JsonNode node = read(json);
        List<ColumnDef> columns = new ArrayList<>();
        node.get("columns").forEach(column -> columns.add(column(column)));
        List<IndexDef> indexes = new ArrayList<>();
        node.get("indexes").forEach(index -> indexes.add(index(index)));
        Map<String, String> options = new TreeMap<>();
        node.get("options")
                .properties()
                .forEach(entry -> options.put(entry.getKey(), entry.getValue().asText()));
        TableName name = name(node);
        return new TableDef(
                name,
                new TableName(name.namespace(), node.get("physical").asText()),
                TableKind.valueOf(node.get("kind").asText()),
                columns,
                ints(node.get("primary_key")),
                indexes,
                strings(node.get("checks")),
                options,
                node.get("version").asInt(),
                node.get("next_id").asInt(),
                node.get("next_place").asInt(),
                Instant.parse(node.get("created_at").asText()),
                text(node, "comment"),
                security(node));
    }

    private static TableName name(JsonNode node) {
        return new TableName(node.get("namespace").asText(), node.get("name").asText());
    }

    private static ColumnDef column(JsonNode node) {
        return new ColumnDef(
                node.get("id").asInt(),
                node.get("name").asText(),
                type(node.get("type").asText()),
                node.get("not_null").asBoolean(),
                node.get("place").asInt(),
                text(node, "default"),
                text(node, "initial"),
                text(node, "comment"));
    }

    /** The reverse of {@link SqlType#text()}. */
    private static SqlType type(String text) {
        int open = text.indexOf('(');
        if (open < 0) {
            return text.equals("TEXT") ? SqlType.TEXT : SqlType.of(SqlType.Kind.valueOf(text));
        }
        String[] lengths = text.substring(open + 1, text.length() - 1).split(",", -1);
        int first = Integer.parseInt(lengths[0]);
        return lengths.length == 2 ? SqlType.decimal(first, Integer.parseInt(lengths[1])) : SqlType.text(first);
    }

    private static IndexDef index(JsonNode node) {
        return new IndexDef(
                node.get("name").asText(),
                ints(node.get("columns")),
                node.get("unique").asBoolean(),
                node.get("physical").asText());
    }

    public static String view(ViewDef view) {
        ObjectNode node = start(view.name(), view.createdAt());
        node.put("query", view.query());
        node.put("search", view.namespace());
        ArrayNode columns = node.putArray("columns");
        view.columns().forEach(columns::add);
        return node.toPrettyString();
    }

    public static ViewDef view(String json) {
        JsonNode node = read(json);
        return new ViewDef(
                name(node),
                node.get("query").asText(),
                node.get("search").asText(),
                strings(node.get("columns")),
                Instant.parse(node.get("created_at").asText()));
    }

    public static String namespace(NamespaceDef namespace) {
        ObjectNode node = MAPPER.createObjectNode();
        node.put("format", FORMAT);
        node.put("name", namespace.name());
        node.put("created_at", namespace.createdAt().toString());
        return node.toPrettyString();
    }

    public static NamespaceDef namespace(String json) {
        JsonNode node = read(json);
        return new NamespaceDef(
                node.get("name").asText(), Instant.parse(node.get("created_at").asText()));
    }

    private static JsonNode read(String json) {
        try {
            JsonNode node = MAPPER.readTree(json);
            if (node.get("format").asInt() > FORMAT_SECURED) {
                throw new StoreException(StoreError.NEWER_FORMAT, "A definition was written by newer code");
            }
            return node;
        } catch (JsonProcessingException damaged) {
            throw new StoreException(StoreError.CORRUPT, "A definition is not JSON", Map.of("json", json), damaged);
        }
    }

    private static @Nullable String text(JsonNode node, String field) {
        JsonNode value = node.get(field);
        return value == null ? null : value.asText();
    }

    private static List<Integer> ints(JsonNode array) {
        List<Integer> numbers = new ArrayList<>();
        array.forEach(item -> numbers.add(item.asInt()));
        return numbers;
    }

    private static List<String> strings(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(item -> texts.add(item.asText()));
        return texts;
    }
}
