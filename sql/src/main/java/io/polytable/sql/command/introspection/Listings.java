package io.polytable.sql.command.introspection;

import io.polytable.sql.command.read.Reads;
import io.polytable.sql.command.session.Portal;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.IndexDef;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.definition.ViewDef;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.ListedRows;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.syntax.Name;
import io.polytable.sql.syntax.QueryParser;
import io.polytable.sql.syntax.Quoted;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.table.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs SHOW and DESCRIBE. */
public final class Listings {
    private final Portal portal;
    private final SqlEngine engine;
    private final Session session;

    public Listings(Portal portal) {
        this.portal = portal;
        engine = portal.engine();
        session = portal.session();
    }

    public QueryRows describe(Statement.Describe describe) {
        return describe.history() ? history(describe.table()) : describe(describe.table());
    }

    public QueryRows show(Statement.Show show) {
        return switch (show.what()) {
            case NAMESPACES -> select("SELECT name AS namespace, table_count FROM system.namespaces ORDER BY 1");
            case TABLES -> tables(show.of());
            case VIEWS -> views(show.of());
            case COLUMNS -> describe(required(show.of()));
            case INDEXES -> indexes(show.of());
            case STORAGES -> select("SELECT * FROM system.storages ORDER BY 1");
            case JOBS -> select("SELECT * FROM system.jobs ORDER BY 1");
            case STATISTICS -> statistics(required(show.of()));
        };
    }

    private QueryRows select(String sql) {
        return new Reads(portal).query(QueryParser.parse(sql));
    }

    private static Name required(Optional<Name> of) {
        return of.orElseThrow(() -> new SqlError(SqlCode.SYNTAX_ERROR, "a table's name is missing"));
    }

    private static QueryRows listed(List<@Nullable Object[]> rows, String... columns) {
        List<QueryRows.Output> outputs = new ArrayList<>();
        for (String column : columns) {
            outputs.add(new QueryRows.Output(column, SqlType.TEXT));
        }
        return new ListedRows(outputs, rows);
    }

    private QueryRows tables(Optional<Name> of) {
        String where = of.map(name -> " WHERE namespace = " + Quoted.text(name.name()))
                .orElse(" WHERE namespace NOT IN ('system', 'information_schema')");
        return select("SELECT namespace, name, kind FROM system.tables" + where + " ORDER BY 1, 2");
    }

    private QueryRows views(Optional<Name> of) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (ViewDef view : engine.catalog().state().views()) {
            boolean wanted = of.isEmpty() || of.get().name().equals(view.name().namespace());
            if (wanted && session.sees(view.name())) {
                rows.add(new @Nullable Object[] {
                    view.name().namespace(), view.name().name(), view.query()
                });
            }
        }
        return listed(rows, "namespace", "name", "query");
    }

    private QueryRows indexes(Optional<Name> of) {
        Optional<TableName> wanted = of.map(session::resolve);
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (SqlTable table : engine.catalog().state().tables()) {
            if ((wanted.isPresent() && !wanted.get().equals(table.name())) || !session.sees(table.name())) {
                continue;
            }
            for (IndexDef index : table.def().indexes()) {
                rows.add(new @Nullable Object[] {
                    table.name().toString(), index.name(), columns(table.def(), index), index.unique() ? "yes" : "no"
                });
            }
        }
        return listed(rows, "table", "name", "columns", "unique");
    }

    private static String columns(TableDef def, IndexDef index) {
        List<String> names = index.columns().stream()
                .map(id -> def.columns().get(def.indexOfId(id)).name())
                .toList();
        return String.join(", ", names);
    }

    private QueryRows statistics(Name name) {
        TableName full = session.resolve(name);
        return select("SELECT " + Quoted.text(full.toString()) + " AS table_name, count(*) AS rows FROM "
                + Quoted.name(full.namespace()) + "." + Quoted.name(full.name()));
    }

    private QueryRows describe(Name name) {
        TableName full = session.resolve(name);
        Optional<SqlTable> table = engine.catalog().state().table(full).filter(found -> isSeen(full));
        if (table.isPresent()) {
            return describe(table.get().def());
        }
        Optional<Relation> given = engine.virtualRelation(full).filter(found -> isSeen(full));
        if (given.isPresent()) {
            return describe(given.get());
        }
        if (engine.catalog().state().view(full).isPresent()) {
            return describeView(full);
        }
        throw new SqlError(SqlCode.UNDEFINED_TABLE, "relation \"" + name + "\" does not exist", name.position());
    }

    private static QueryRows describe(TableDef def) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (ColumnDef column : def.columns()) {
            rows.add(new @Nullable Object[] {
                column.name(),
                column.type().text(),
                column.notNull() ? "no" : "yes",
                def.isKey(column) ? "primary key " + (def.key().indexOf(column.id()) + 1) : "",
                column.defaultText(),
                column.comment()
            });
        }
        return listed(rows, "column_name", "data_type", "nullable", "key", "default_value", "comment");
    }

    private static QueryRows describe(Relation relation) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Relation.RelationColumn column : relation.columns()) {
            boolean key = relation.key().contains(column.name());
            rows.add(new @Nullable Object[] {
                column.name(), column.type().text(), key ? "no" : "yes", key ? "key" : "", null, null
            });
        }
        return listed(rows, "column_name", "data_type", "nullable", "key", "default_value", "comment");
    }

    private QueryRows describeView(TableName view) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        String sql = "SELECT * FROM " + Quoted.name(view.namespace()) + "." + Quoted.name(view.name()) + " LIMIT 0";
        try (QueryRows result = select(sql)) {
            for (QueryRows.Output column : result.columns()) {
                rows.add(new @Nullable Object[] {column.name(), column.type().text(), "yes", "", null, null});
            }
        }
        return listed(rows, "column_name", "data_type", "nullable", "key", "default_value", "comment");
    }

    private boolean isSeen(TableName name) {
        if (!session.sees(name)) {
            throw new SqlError(SqlCode.NOT_ALLOWED, "permission denied for table " + name.name());
        }
        return true;
    }

    private QueryRows history(Name name) {
        SqlTable table = session.table(name);
        isSeen(table.name());
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (TableDef version : engine.catalog().history(table.def())) {
            String columns = version.columns().stream()
                    .map(column -> column.name() + " " + column.type().text().toLowerCase(Locale.ROOT))
                    .reduce((a, b) -> a + ", " + b)
                    .orElse("");
            rows.add(new @Nullable Object[] {
                Integer.toString(version.version()), columns, version.options().toString()
            });
        }
        return listed(rows, "version", "columns", "options");
    }
}
