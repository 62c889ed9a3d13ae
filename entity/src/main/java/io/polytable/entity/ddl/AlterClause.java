package io.polytable.entity.ddl;

import io.polytable.entity.ddl.DdlStatement.SchemaRole;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.CellType;
import io.polytable.entity.layout.Change;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.layout.Validation;
import io.polytable.entity.model.ColumnName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.avro.Schema;

/** Parses the clauses of ALTER TABLE into an edit of the layout. */
final class AlterClause {
    private final TokenCursor in;
    private final SchemaClause schemas;
    private final GroupClause groups;
    private final TableClause tables;
    private final Validation validation;

    /** The validation is the table's default for new columns. */
    AlterClause(TokenCursor in, SchemaClause schemas, GroupClause groups, TableClause tables, Validation validation) {
        this.in = in;
        this.schemas = schemas;
        this.groups = groups;
        this.tables = tables;
        this.validation = validation;
    }

    UnaryOperator<TableLayout> edit() {
        if (in.accept("ADD")) {
            return add();
        }
        if (in.accept("CREATE")) {
            in.expect("LOCALITY", "GROUP");
            LocalityGroup group = groups.group(validation);
            return layout -> LayoutEdits.addGroup(layout, group);
        }
        if (in.accept("DROP")) {
            return drop();
        }
        if (in.accept("RENAME")) {
            return rename();
        }
        if (in.accept("SET")) {
            return set();
        }
        throw in.expected("ADD, CREATE, DROP, RENAME or SET");
    }

    private UnaryOperator<TableLayout> add() {
        if (in.accept("COLUMN")) {
            ColumnName name = in.column();
            ColumnLayout column = groups.column(name.column(), validation);
            return layout -> LayoutEdits.addColumn(layout, name.family(), column);
        }
        if (in.isNext("MAP") || in.isNext("GROUP") || in.isNext("FAMILY")) {
            FamilyLayout family = groups.family(validation);
            in.expect("TO");
            if (in.accept("LOCALITY")) {
                in.expect("GROUP");
            }
            String group = in.name("locality group");
            return layout -> LayoutEdits.addFamily(layout, group, family);
        }
        return addSchema();
    }

    /** {@code ADD [DEFAULT] [READER | WRITER | RECORDED] SCHEMA s FOR column}. */
    private UnaryOperator<TableLayout> addSchema() {
        boolean isDefault = in.accept("DEFAULT");
        Optional<SchemaRole> role = role();
        in.expect("SCHEMA");
        Schema schema = schemas.schema();
        ColumnName column = target();
        return layout -> LayoutEdits.schema(layout, column, old -> {
            CellSchema wider = with(old, role, schema);
            return isDefault ? wider.withDefaultReader(schema) : wider;
        });
    }

    private Optional<SchemaRole> role() {
        for (SchemaRole role : SchemaRole.values()) {
            if (in.accept(role.name())) {
                return Optional.of(role);
            }
        }
        return Optional.empty();
    }

    private static CellSchema with(CellSchema old, Optional<SchemaRole> role, Schema schema) {
        if (role.isEmpty()) {
            return old.withRegistered(schema);
        }
        return switch (role.get()) {
            case READER -> old.withSchemas(plus(old.readers(), schema), old.writers(), old.written());
            case WRITER -> old.withSchemas(old.readers(), plus(old.writers(), schema), old.written());
            case RECORDED -> old.withSchemas(old.readers(), old.writers(), plus(old.written(), schema));
        };
    }

    private static List<Schema> plus(List<Schema> schemas, Schema schema) {
        List<Schema> more = new ArrayList<>(schemas);
        more.add(schema);
        return more;
    }

    private UnaryOperator<TableLayout> drop() {
        if (in.accept("FAMILY")) {
            String name = in.name("family");
            return layout -> LayoutEdits.family(layout, name, family -> family.with(Change.DELETE));
        }
        if (in.accept("COLUMN")) {
            ColumnName name = in.column();
            return layout -> LayoutEdits.column(layout, name, column -> column.with(Change.DELETE));
        }
        if (in.accept("LOCALITY")) {
            in.expect("GROUP");
            String name = in.name("locality group");
            return layout -> LayoutEdits.group(layout, name, group -> group.with(Change.DELETE));
        }
        boolean isDefault = in.accept("DEFAULT");
        Optional<SchemaRole> role = isDefault && in.accept("READER") ? Optional.of(SchemaRole.READER) : role();
        in.expect("SCHEMA");
        if (isDefault) {
            ColumnName column = target();
            return layout -> LayoutEdits.schema(layout, column, CellSchema::withoutDefaultReader);
        }
        Schema schema = schemas.schema();
        ColumnName column = target();
        return layout -> LayoutEdits.schema(layout, column, old -> without(old, role, schema));
    }

    private static CellSchema without(CellSchema old, Optional<SchemaRole> role, Schema schema) {
        boolean readers = role.isEmpty() || role.get() == SchemaRole.READER;
        boolean writers = role.isEmpty() || role.get() == SchemaRole.WRITER;
        boolean written = role.isPresent() && role.get() == SchemaRole.RECORDED;
        return old.withSchemas(
                readers ? minus(old.readers(), schema) : old.readers(),
                writers ? minus(old.writers(), schema) : old.writers(),
                written ? minus(old.written(), schema) : old.written());
    }

    private static List<Schema> minus(List<Schema> schemas, Schema schema) {
        return schemas.stream().filter(known -> !known.equals(schema)).toList();
    }

    private UnaryOperator<TableLayout> rename() {
        if (in.accept("COLUMN")) {
            ColumnName from = in.column();
            in.accept("AS");
            ColumnName to = in.column();
            if (!to.family().equals(from.family())) {
                throw in.expected("a column of the same family before");
            }
            return layout -> LayoutEdits.column(layout, from, column -> LayoutEdits.renamed(column, to.column()));
        }
        boolean isFamily = in.accept("FAMILY");
        if (!isFamily) {
            in.expect("LOCALITY", "GROUP");
        }
        String what = isFamily ? "family" : "locality group";
        String from = in.name(what);
        in.accept("AS");
        String to = in.name(what);
        return isFamily
                ? layout -> LayoutEdits.family(layout, from, family -> LayoutEdits.renamed(family, to))
                : layout -> LayoutEdits.group(layout, from, group -> LayoutEdits.renamed(group, to));
    }

    private UnaryOperator<TableLayout> set() {
        if (in.accept("DESCRIPTION")) {
            in.expectSymbol('=');
            return description(in.string("a description"));
        }
        if (in.accept("SCHEMA")) {
            in.expectSymbol('=');
            CellSchema schema = schemas.cells(validation);
            ColumnName column = target();
            return layout -> LayoutEdits.schema(layout, column, old -> replacing(old, schema));
        }
        if (in.isNext("VALIDATION")) {
            return setValidation();
        }
        if (in.isNext("OPTION")) {
            return option();
        }
        Optional<UnaryOperator<LocalityGroup>> property = groups.property();
        if (property.isPresent()) {
            in.expect("FOR", "LOCALITY", "GROUP");
            String group = in.name("locality group");
            return layout -> LayoutEdits.group(layout, group, property.get());
        }
        return tables.property().orElseThrow(() -> in.expected("a property"));
    }

    /** The new schema reads and writes; the schemas of existing values stay recorded. */
    private static CellSchema replacing(CellSchema old, CellSchema schema) {
        if (schema.type() != CellType.AVRO) {
            return schema;
        }
        CellSchema changed = old.withSchemas(schema.readers(), schema.writers(), old.written());
        return schema.defaultReader().map(changed::withDefaultReader).orElse(changed);
    }

    private UnaryOperator<TableLayout> description(String text) {
        if (!in.accept("FOR")) {
            return layout -> layout.withDescription(text);
        }
        if (in.accept("LOCALITY")) {
            in.expect("GROUP");
            String name = in.name("locality group");
            return layout -> LayoutEdits.group(layout, name, group -> group.withDescription(text));
        }
        if (in.accept("FAMILY")) {
            String name = in.name("family");
            return layout -> LayoutEdits.family(layout, name, family -> family.withDescription(text));
        }
        in.expect("COLUMN");
        ColumnName name = in.column();
        return layout -> LayoutEdits.column(layout, name, column -> column.withDescription(text));
    }

    private UnaryOperator<TableLayout> setValidation() {
        in.expect("VALIDATION");
        in.expectSymbol('=');
        Validation wanted = schemas.validation();
        if (!in.isNext("FOR")) {
            return layout -> LayoutEdits.everySchema(
                            layout, schema -> schema.type() == CellType.AVRO ? schema.withValidation(wanted) : schema)
                    .withOption(TableClause.VALIDATION, wanted.name());
        }
        ColumnName column = target();
        return layout -> LayoutEdits.schema(layout, column, schema -> schema.withValidation(wanted));
    }

    private UnaryOperator<TableLayout> option() {
        in.expect("OPTION");
        String key = in.string("an option");
        in.expectSymbol('=');
        String value = in.string("a value");
        if (!in.accept("FOR")) {
            return layout -> layout.withOption(key, value);
        }
        in.expect("LOCALITY", "GROUP");
        String name = in.name("locality group");
        return layout -> LayoutEdits.group(layout, name, group -> group.withOption(key, value));
    }

    /** {@code FOR [MAP TYPE] FAMILY f} or {@code FOR COLUMN f:q}. */
    private ColumnName target() {
        in.expect("FOR");
        if (in.accept("MAP")) {
            in.expect("TYPE");
        }
        if (in.accept("FAMILY")) {
            return ColumnName.family(in.name("family"));
        }
        in.expect("COLUMN");
        return in.column();
    }
}
