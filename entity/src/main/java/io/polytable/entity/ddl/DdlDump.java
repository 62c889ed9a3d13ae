package io.polytable.entity.ddl;

import io.polytable.entity.key.ComponentType;
import io.polytable.entity.key.FormattedKeys;
import io.polytable.entity.key.KeyComponent;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.CellType;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.CompressionType;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.IdNaming;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.SchemaStorage;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.ColumnName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * Writes a layout as statements: a CREATE TABLE, and an ALTER TABLE for each schema beyond a column's first. Features
 * that the language lacks, such as aliases, are written as comments.
 */
final class DdlDump {
    /** Keywords that may follow where a name is optional or ends. */
    private static final Set<String> KEYWORDS = Set.of(
            "COLUMN",
            "WITH",
            "HASH",
            "NOT",
            "MAP",
            "GROUP",
            "FAMILY",
            "AVRO",
            "CLASS",
            "ID",
            "COUNTER",
            "RAW",
            "JSON",
            "PROTOBUF",
            "TTL",
            "STORAGE",
            "VALIDATION",
            "LOCALITY",
            "EXTENDED",
            "AS");

    private final TableLayout layout;
    private final StringBuilder text = new StringBuilder();
    private final List<String> behind = new ArrayList<>();

    private DdlDump(TableLayout layout) {
        this.layout = layout;
    }

    static String of(TableLayout layout) {
        DdlDump dump = new DdlDump(layout);
        dump.table();
        return dump.text.toString();
    }

    private void table() {
        text.append("CREATE TABLE ").append(name(layout.name()));
        description(layout.description());
        text.append("\nROW KEY FORMAT ").append(keys(layout.keys()));
        List<String> properties = new ArrayList<>();
        if (layout.naming() != IdNaming.IDENTITY) {
            properties.add("NAMING = " + layout.naming());
        }
        layout.options().forEach((key, value) -> properties.add("OPTION " + quoted(key) + " = " + quoted(value)));
        if (!properties.isEmpty()) {
            text.append("\nPROPERTIES (").append(String.join(", ", properties)).append(")");
        }
        for (int i = 0; i < layout.groups().size(); i++) {
            text.append(i == 0 ? "\nWITH LOCALITY GROUP " : ",\nLOCALITY GROUP ");
            group(layout.groups().get(i));
        }
        text.append(";\n");
        behind.forEach(line -> text.append(line).append('\n'));
    }

    static String keys(KeyFormat keys) {
        if (keys instanceof KeyFormat.HashPrefixed prefixed) {
            return "HASH PREFIXED(" + prefixed.hashBytes() + ")";
        }
        if (!(keys instanceof FormattedKeys formatted)) {
            return keys instanceof KeyFormat.Raw ? "RAW" : "HASHED";
        }
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < formatted.components().size(); i++) {
            KeyComponent component = formatted.components().get(i);
            String type = component.type() == ComponentType.INTEGER
                    ? "INT"
                    : component.type().name();
            parts.add(name(component.name()) + " " + type + (i < formatted.nullableStart() ? " NOT NULL" : ""));
        }
        if (formatted.saltBytes() > 0) {
            String last =
                    formatted.components().get(formatted.rangeScanStart() - 1).name();
            parts.add("HASH(THROUGH " + name(last) + ", SIZE = " + formatted.saltBytes()
                    + (formatted.hashOnly() ? ", SUPPRESS FIELDS" : "") + ")");
        }
        return "(" + String.join(", ", parts) + ")";
    }

    private void group(LocalityGroup group) {
        text.append(name(group.name()));
        description(group.description());
        List<String> parts = new ArrayList<>();
        boolean all = group.maxVersions() == LocalityGroup.ALL_VERSIONS;
        parts.add("MAXVERSIONS = " + (all ? "INFINITY" : group.maxVersions()));
        boolean forever = group.ttlSeconds() == LocalityGroup.FOREVER;
        parts.add("TTL = " + (forever ? "FOREVER" : group.ttlSeconds()));
        parts.add("INMEMORY = " + group.inMemory());
        parts.add("COMPRESSED WITH " + (group.compression() == CompressionType.GZ ? "GZIP" : group.compression()));
        parts.add("BLOOM FILTER = " + group.bloom());
        if (group.blockBytes() > 0) {
            parts.add("BLOCK SIZE = " + group.blockBytes());
        }
        group.options().forEach((key, value) -> parts.add("OPTION " + quoted(key) + " = " + quoted(value)));
        group.families().forEach(family -> parts.add(family(family)));
        text.append(" (\n  ").append(String.join(",\n  ", parts)).append(")");
        unsaid("locality group " + group.name(), group.aliases(), group.enabled());
    }

    private String family(FamilyLayout family) {
        unsaid("family " + family.name(), family.aliases(), family.enabled());
        String described = family.description().isEmpty() ? "" : " WITH DESCRIPTION " + quoted(family.description());
        if (family.mapSchema().isPresent()) {
            CellSchema schema = family.mapSchema().get();
            more(ColumnName.family(family.name()), schema);
            return "MAP TYPE FAMILY " + name(family.name()) + schema(schema) + described;
        }
        List<String> columns = new ArrayList<>();
        for (ColumnLayout column : family.columns()) {
            ColumnName full = ColumnName.of(family.name(), column.name());
            unsaid("column " + full, column.aliases(), column.enabled());
            more(full, column.schema());
            columns.add(name(column.name())
                    + schema(column.schema())
                    + (column.description().isEmpty() ? "" : " WITH DESCRIPTION " + quoted(column.description())));
        }
        return "GROUP TYPE FAMILY " + name(family.name()) + described + " (\n    " + String.join(",\n    ", columns)
                + ")";
    }

    private static String schema(CellSchema schema) {
        String said = switch (schema.type()) {
            case COUNTER -> " COUNTER";
            case RAW_BYTES -> " RAW BYTES";
            case JSON -> " JSON";
            case PROTOBUF -> " PROTOBUF CLASS " + schema.className().orElse("");
            case AVRO -> first(schema).map(first -> " " + first).orElse("");
        };
        StringBuilder line = new StringBuilder(said);
        schema.ttlSeconds().ifPresent(seconds -> line.append(" TTL = ").append(seconds));
        if (schema.type() == CellType.AVRO) {
            if (schema.storage() != SchemaStorage.UID) {
                line.append(" STORAGE = ").append(schema.storage());
            }
            line.append(" VALIDATION = ").append(schema.validation());
        }
        return line.toString();
    }

    /** The schema for the CREATE TABLE: a writer and default reader schema. */
    private static Optional<Schema> first(CellSchema schema) {
        return schema.defaultReader()
                .filter(reader ->
                        schema.readers().contains(reader) && schema.writers().contains(reader));
    }

    /** Schemas that the CREATE TABLE does not contain. */
    private void more(ColumnName column, CellSchema schema) {
        if (schema.type() != CellType.AVRO) {
            return;
        }
        Optional<Schema> first = first(schema);
        add("WRITER", column, schema.writers(), first);
        add("RECORDED", column, schema.written(), Optional.empty());
        if (first.isEmpty()) {
            schema.defaultReader().ifPresent(reader -> alter("DEFAULT READER", column, reader));
        }
        add("READER", column, schema.readers(), first.isPresent() ? first : schema.defaultReader());
        schema.className().ifPresent(name -> behind.add("-- " + column + " is read as " + name));
    }

    private void add(String role, ColumnName column, List<Schema> schemas, Optional<Schema> said) {
        schemas.stream()
                .filter(schema -> !said.equals(Optional.of(schema)))
                .forEach(schema -> alter(role, column, schema));
    }

    private void alter(String role, ColumnName column, Schema schema) {
        String target = column.isFamily()
                ? "FAMILY " + name(column.family())
                : "COLUMN " + name(column.family()) + ":" + name(column.column());
        behind.add(
                "ALTER TABLE " + name(layout.name()) + " ADD " + role + " SCHEMA " + schema + " FOR " + target + ";");
    }

    private void unsaid(String what, List<String> aliases, boolean enabled) {
        if (!aliases.isEmpty()) {
            behind.add("-- " + what + " is also called " + String.join(", ", aliases));
        }
        if (!enabled) {
            behind.add("-- " + what + " is disabled");
        }
    }

    private void description(String description) {
        if (!description.isEmpty()) {
            text.append(" WITH DESCRIPTION ").append(quoted(description));
        }
    }

    /** Quotes names that could be taken for a keyword. */
    private static String name(String name) {
        return KEYWORDS.contains(name.toUpperCase(Locale.ROOT)) ? quoted(name) : name;
    }

    private static String quoted(String value) {
        return "'" + value.replace("\\", "\\\\").replace("'", "''").replace("\n", "\\n") + "'";
    }
}
