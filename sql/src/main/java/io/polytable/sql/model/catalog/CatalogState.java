package io.polytable.sql.model.catalog;

import io.polytable.sql.model.definition.NamespaceDef;
import io.polytable.sql.model.definition.ViewDef;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.TableName;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** An immutable snapshot of all definitions. Each change makes a new one. */
public final class CatalogState {
    private final Map<String, NamespaceDef> namespaces;
    private final Map<String, SqlTable> tables;
    private final Map<String, ViewDef> views;

    /** Names of tables whose definitions could not be read at startup. */
    private final Set<String> damaged = new TreeSet<>();

    CatalogState(Map<String, NamespaceDef> namespaces, Map<String, SqlTable> tables, Map<String, ViewDef> views) {
        this.namespaces = new TreeMap<>(namespaces);
        this.tables = new TreeMap<>(tables);
        this.views = new TreeMap<>(views);
    }

    private CatalogState copy() {
        CatalogState next = new CatalogState(namespaces, tables, views);
        next.damaged.addAll(damaged);
        return next;
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

    /**
     * The table of the name, if there is one.
     *
     * @throws SqlError when it is damaged
     */
    public Optional<SqlTable> table(TableName name) {
        if (damaged.contains(name.toString())) {
            throw isDamaged(name.toString());
        }
        return Optional.ofNullable(tables.get(name.toString()));
    }

    boolean hasDamagedTables() {
        return !damaged.isEmpty();
    }

    /** Rejects a namespace with a damaged table: nobody knows what a DROP would need to remove. */
    void requireUndamaged(String namespace) {
        for (String name : damaged) {
            if (name.startsWith(namespace + ".")) {
                throw isDamaged(name);
            }
        }
    }

    private static SqlError isDamaged(String name) {
        return new SqlError(
                SqlCode.UNAVAILABLE,
                "the definition of table \"" + name + "\" is damaged; the server's log has the details");
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
        CatalogState next = copy();
        next.namespaces.put(namespace.name(), namespace);
        return next;
    }

    CatalogState with(SqlTable table) {
        CatalogState next = copy();
        next.tables.put(table.name().toString(), table);
        return next;
    }

    CatalogState withDamaged(String table) {
        CatalogState next = copy();
        next.damaged.add(table);
        return next;
    }

    CatalogState with(ViewDef view) {
        CatalogState next = copy();
        next.views.put(view.name().toString(), view);
        return next;
    }

    CatalogState withoutNamespace(String name) {
        CatalogState next = copy();
        next.namespaces.remove(name);
        return next;
    }

    CatalogState withoutTable(TableName name) {
        CatalogState next = copy();
        next.tables.remove(name.toString());
        return next;
    }

    CatalogState withoutView(TableName name) {
        CatalogState next = copy();
        next.views.remove(name.toString());
        return next;
    }
}
