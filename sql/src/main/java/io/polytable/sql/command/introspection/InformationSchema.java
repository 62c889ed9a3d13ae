package io.polytable.sql.command.introspection;

import static io.polytable.sql.command.introspection.SystemRelations.number;
import static io.polytable.sql.command.introspection.SystemRelations.text;

import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.IndexDef;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.relation.RowsRelation;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.SqlType.Kind;
import io.polytable.table.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The tables of {@code information_schema}, which describe the tables of all frontends. */
final class InformationSchema {
    private static final String NAME = "information_schema";
    private static final String CATALOG = "polytable";

    private final SqlEngine engine;

    private InformationSchema(SqlEngine engine) {
        this.engine = engine;
    }

    static List<Relation> relations(SqlEngine engine) {
        InformationSchema schema = new InformationSchema(engine);
        return List.of(
                relation(
                                "schemata",
                                List.of(text("catalog_name"), text("schema_name"), text("schema_owner")),
                                schema::schemata)
                        .to((user, row) -> engine.seesNamespace(user, String.valueOf(row[1]))),
                relation(
                                "tables",
                                List.of(
                                        text("table_catalog"),
                                        text("table_schema"),
                                        text("table_name"),
                                        text("table_type")),
                                schema::tables)
                        .to(SystemRelations.ofTable(engine, 1, 2)),
                relation(
                                "columns",
                                List.of(
                                        text("table_catalog"),
                                        text("table_schema"),
                                        text("table_name"),
                                        text("column_name"),
                                        number("ordinal_position"),
                                        text("column_default"),
                                        text("is_nullable"),
                                        text("data_type"),
                                        number("character_maximum_length"),
                                        number("numeric_precision"),
                                        number("numeric_scale")),
                                schema::columns)
                        .to(SystemRelations.ofTable(engine, 1, 2)),
                relation(
                                "table_constraints",
                                List.of(
                                        text("constraint_catalog"),
                                        text("constraint_schema"),
                                        text("constraint_name"),
                                        text("table_schema"),
                                        text("table_name"),
                                        text("constraint_type")),
                                schema::constraints)
                        .to(SystemRelations.ofTable(engine, 3, 4)),
                relation(
                                "key_column_usage",
                                List.of(
                                        text("constraint_name"),
                                        text("table_schema"),
                                        text("table_name"),
                                        text("column_name"),
                                        number("ordinal_position")),
                                schema::keys)
                        .to(SystemRelations.ofTable(engine, 1, 2)));
    }

    private static RowsRelation relation(
            String name, List<RelationColumn> columns, Supplier<List<@Nullable Object[]>> rows) {
        return new RowsRelation(new TableName(NAME, name), columns, List.of(), rows);
    }

    private List<@Nullable Object[]> schemata() {
        TreeSet<String> names = new TreeSet<>();
        engine.catalog().state().namespaces().forEach(namespace -> names.add(namespace.name()));
        engine.virtualRelations().forEach(relation -> names.add(relation.name().namespace()));
        List<@Nullable Object[]> rows = new ArrayList<>();
        names.forEach(name -> rows.add(new @Nullable Object[] {CATALOG, name, SqlEngine.ROOT}));
        return rows;
    }

    private List<@Nullable Object[]> tables() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        engine.catalog()
                .state()
                .tables()
                .forEach(table -> rows.add(new @Nullable Object[] {
                    CATALOG, table.name().namespace(), table.name().name(), "BASE TABLE"
                }));
        engine.catalog()
                .state()
                .views()
                .forEach(view -> rows.add(new @Nullable Object[] {
                    CATALOG, view.name().namespace(), view.name().name(), "VIEW"
                }));
        engine.virtualRelations()
                .forEach(relation -> rows.add(new @Nullable Object[] {
                    CATALOG, relation.name().namespace(), relation.name().name(), "VIEW"
                }));
        return rows;
    }

    private List<@Nullable Object[]> columns() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (SqlTable table : engine.catalog().state().tables()) {
            int ordinal = 1;
            for (ColumnDef column : table.def().columns()) {
                rows.add(new @Nullable Object[] {
                    CATALOG,
                    table.name().namespace(),
                    table.name().name(),
                    column.name(),
                    ordinal++,
                    column.defaultText(),
                    column.notNull() ? "NO" : "YES",
                    typeName(column.type()),
                    charsMax(column.type()),
                    precision(column.type()),
                    scale(column.type())
                });
            }
        }
        for (Relation relation : engine.virtualRelations()) {
            int ordinal = 1;
            for (RelationColumn column : relation.columns()) {
                rows.add(new @Nullable Object[] {
                    CATALOG,
                    relation.name().namespace(),
                    relation.name().name(),
                    column.name(),
                    ordinal++,
                    null,
                    relation.key().contains(column.name()) ? "NO" : "YES",
                    typeName(column.type()),
                    charsMax(column.type()),
                    precision(column.type()),
                    scale(column.type())
                });
            }
        }
        return rows;
    }

    /** The type's name as the SQL standard and PostgreSQL spell it. */
    private static String typeName(SqlType type) {
        return switch (type.kind()) {
            case INT -> "integer";
            case FLOAT -> "real";
            case DOUBLE -> "double precision";
            case DECIMAL -> "numeric";
            case TEXT -> type.precision() > 0 ? "character varying" : "text";
            case BYTES -> "bytea";
            case TIME -> "time without time zone";
            case TIMESTAMP -> "timestamp with time zone";
            case BOOLEAN, SMALLINT, BIGINT, JSON, DATE, UUID, UNKNOWN ->
                type.kind().name().toLowerCase(Locale.ROOT);
        };
    }

    private static @Nullable Integer charsMax(SqlType type) {
        return type.is(Kind.TEXT) && type.precision() > 0 ? type.precision() : null;
    }

    /** In digits for a DECIMAL, in bits otherwise. */
    private static @Nullable Integer precision(SqlType type) {
        return switch (type.kind()) {
            case SMALLINT -> 16;
            case INT -> 32;
            case BIGINT -> 64;
            case FLOAT -> 24;
            case DOUBLE -> 53;
            case DECIMAL -> type.precision();
            case BOOLEAN, TEXT, BYTES, JSON, DATE, TIME, TIMESTAMP, UUID, UNKNOWN -> null;
        };
    }

    private static @Nullable Integer scale(SqlType type) {
        return type.isInteger() ? Integer.valueOf(0) : type.is(Kind.DECIMAL) ? type.scale() : null;
    }

    private List<@Nullable Object[]> constraints() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (SqlTable table : engine.catalog().state().tables()) {
            if (!table.def().hasRowId()) {
                rows.add(constraint(table.name(), table.name().name() + "_pkey", "PRIMARY KEY"));
            }
            for (IndexDef index : table.def().indexes()) {
                if (index.unique()) {
                    rows.add(constraint(table.name(), index.name(), "UNIQUE"));
                }
            }
        }
        return rows;
    }

    private static @Nullable Object[] constraint(TableName table, String name, String type) {
        return new @Nullable Object[] {CATALOG, table.namespace(), name, table.namespace(), table.name(), type};
    }

    private List<@Nullable Object[]> keys() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (SqlTable table : engine.catalog().state().tables()) {
            key(rows, table.name(), table.def().keyNames());
        }
        engine.virtualRelations().forEach(relation -> key(rows, relation.name(), relation.key()));
        return rows;
    }

    private static void key(List<@Nullable Object[]> rows, TableName table, List<String> key) {
        for (int i = 0; i < key.size(); i++) {
            rows.add(new @Nullable Object[] {table.name() + "_pkey", table.namespace(), table.name(), key.get(i), i + 1
            });
        }
    }
}
