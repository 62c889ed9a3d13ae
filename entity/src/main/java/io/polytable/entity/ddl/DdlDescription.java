package io.polytable.entity.ddl;

import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.CellType;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.SchemaText;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/** The output of DESCRIBE. */
final class DdlDescription {
    private final PrintWriter out;

    DdlDescription(PrintWriter out) {
        this.out = out;
    }

    void table(TableLayout layout, boolean extended) {
        out.println("table " + layout.name() + said(layout.description()));
        out.println("  layout " + layout.layoutId() + ", row keys " + DdlDump.keys(layout.keys()));
        if (extended) {
            layout.options().forEach((key, value) -> out.println("  option " + key + " = " + value));
        }
        for (LocalityGroup group : layout.groups()) {
            if (extended) {
                group(group);
            }
            group.families().forEach(family -> family(group, family, extended));
        }
    }

    private void group(LocalityGroup group) {
        boolean all = group.maxVersions() == LocalityGroup.ALL_VERSIONS;
        boolean forever = group.ttlSeconds() == LocalityGroup.FOREVER;
        out.println("  locality group " + group.name() + said(group.description()));
        out.println("    versions " + (all ? "all" : group.maxVersions()) + ", time to live "
                + (forever ? "forever" : group.ttlSeconds() + " s") + ", in memory " + group.inMemory()
                + ", compression " + group.compression() + ", bloom filter " + group.bloom());
        group.options().forEach((key, value) -> out.println("    option " + key + " = " + value));
    }

    private void family(LocalityGroup group, FamilyLayout family, boolean extended) {
        String type = family.isMap() ? "map-type family " : "group-type family ";
        String where = extended ? " in " + group.name() : "";
        String schema = family.mapSchema().map(map -> " " + brief(map)).orElse("");
        out.println("  " + type + family.name() + schema + where + said(family.description()));
        for (ColumnLayout column : family.columns()) {
            out.println("    " + family.name() + ":" + column.name() + " " + brief(column.schema())
                    + (extended ? details(column.schema()) : "") + said(column.description()));
        }
    }

    private static String brief(CellSchema schema) {
        return switch (schema.type()) {
            case COUNTER -> "counter";
            case RAW_BYTES -> "bytes";
            case JSON -> "json";
            case PROTOBUF -> "protobuf " + schema.className().orElse("");
            case AVRO -> "avro " + schema.defaultReader().map(SchemaText::brief).orElse("of any registered schema");
        };
    }

    private static String details(CellSchema schema) {
        String ttl = schema.ttlSeconds().isPresent()
                ? " time to live " + schema.ttlSeconds().getAsLong() + " s"
                : "";
        return schema.type() != CellType.AVRO
                ? ttl
                : ttl + " (" + schema.validation() + ", " + schema.readers().size() + " readers, "
                        + schema.writers().size() + " writers, "
                        + schema.written().size() + " recorded)";
    }

    private static String said(String description) {
        return description.isEmpty() ? "" : ": " + description;
    }

    void column(TableLayout layout, DdlStatement.DescribeColumn wanted) {
        CellSchema schema = schema(layout, wanted.column());
        List<Schema> schemas = switch (wanted.role()) {
            case READER -> schema.readers();
            case WRITER -> schema.writers();
            case RECORDED -> List.copyOf(schema.allWritten());
        };
        // The newest were registered last.
        int from = Math.max(0, schemas.size() - wanted.limit());
        for (Schema one : schemas.subList(from, schemas.size())) {
            boolean isDefault = schema.defaultReader().filter(one::equals).isPresent();
            out.println(one + (isDefault ? " (default reader)" : ""));
        }
    }

    private static CellSchema schema(TableLayout layout, ColumnName column) {
        LayoutColumns columns = new LayoutColumns(layout);
        if (!column.isFamily()) {
            return columns.schema(column);
        }
        return columns.family(column.family())
                .layout()
                .mapSchema()
                .orElseThrow(() -> new EntityException(
                        EntityError.BAD_REQUEST,
                        "A group-type family has no schema: name a column",
                        Map.of("family", column.family())));
    }
}
