package io.polytable.sql.model.catalog;

import io.polytable.sql.model.definition.NamespaceDef;
import io.polytable.sql.model.definition.ViewDef;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.table.TableName;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** An immutable snapshot of all definitions. Each change makes a new one. */
public final class CatalogState {
    private final Map<String, NamespaceDef> namespaces;
    private final Map<String, SqlTable> tables;
    private final Map<String, ViewDef> views;

    CatalogState(Map<String, NamespaceDef> namespaces, Map<String, SqlTable> tables, Map<String, ViewDef> views) {
        this.namespaces = new TreeMap<>(namespaces);
        this.tables = new TreeMap<>(tables);
        this.views = new TreeMap<>(views);
    }

    public Collection<NamespaceDef> namespaces() {
        return namespaces.values();
    }

    public Collection<SqlTable> tables() {
        return tables.values();
    }

    public Collection<ViewDef> views() {
        return views.values();
    }

    public boolean hasNamespace(String name) {
        return namespaces.containsKey(name);
    }

    public Optional<SqlTable> table(TableName name) {
        return Optional.ofNullable(tables.get(name.toString()));
    }

    public Optional<ViewDef> view(TableName name) {
        return Optional.ofNullable(views.get(name.toString()));
    }

    /** Whether the table, if it existed here under any name, already had all its current indexes. */
    public boolean hasIndexesOf(SqlTable table) {
        if (table.def().indexes().isEmpty() || tables.get(table.name().toString()) == table) {
            return true;
        }
        return tables.values().stream()
                .filter(then -> then.table().id() == table.table().id())
                .allMatch(then -> then.def().indexes().containsAll(table.def().indexes()));
    }

    CatalogState with(NamespaceDef namespace) {
        CatalogState next = new CatalogState(namespaces, tables, views);
        next.namespaces.put(namespace.name(), namespace);
        return next;
    }

    CatalogState with(SqlTable table) {
        CatalogState next = new CatalogState(namespaces, tables, views);
        next.tables.put(table.name().toString(), table);
        return next;
    }

    CatalogState with(ViewDef view) {
        CatalogState next = new CatalogState(namespaces, tables, views);
        next.views.put(view.name().toString(), view);
        return next;
    }

    CatalogState withoutNamespace(String name) {
        CatalogState next = new CatalogState(namespaces, tables, views);
        next.namespaces.remove(name);
        return next;
    }

    CatalogState withoutTable(TableName name) {
        CatalogState next = new CatalogState(namespaces, tables, views);
        next.tables.remove(name.toString());
        return next;
    }

    CatalogState withoutView(TableName name) {
        CatalogState next = new CatalogState(namespaces, tables, views);
        next.views.remove(name.toString());
        return next;
    }
}
