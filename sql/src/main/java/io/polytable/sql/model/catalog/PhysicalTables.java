package io.polytable.sql.model.catalog;

import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.DefinitionJson;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.row.RowFormat;
import io.polytable.sql.model.row.StoredValues;
import io.polytable.sql.model.table.ColdTier;
import io.polytable.sql.model.table.SqlIndex;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableSpec;
import io.polytable.table.TableStore;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import java.util.List;
import java.util.Map;

/** The tables of the store behind definitions: binds them, names them, adds columns to them. */
final class PhysicalTables {
    private final TableStore store;
    private final ColdTier cold;

    PhysicalTables(TableStore store, ColdTier cold) {
        this.store = store;
        this.cold = cold;
    }

    SqlTable bound(TableDef def) {
        Table table = physical(def.physical());
        List<SqlIndex> indexes = def.indexes().stream()
                .map(index -> new SqlIndex(
                        def, index, physical(new TableName(def.physical().namespace(), index.physical()))))
                .toList();
        return new SqlTable(def, table, indexes, cold.of(def, table));
    }

    private Table physical(TableName name) {
        return store.find(name)
                .orElseThrow(() -> new StoreException(
                        StoreError.CORRUPT, "A defined table is not in the store", Map.of("table", name)));
    }

    /**
     * Binds the definition as the next start will read it. Called before the definition is committed: once there, one
     * that cannot be read costs the table.
     */
    SqlTable boundAsRead(TableDef def) {
        return bound(DefinitionJson.table(DefinitionJson.table(def)));
    }

    /** A renamed table keeps its name in the store, so the name may be taken there. */
    TableName freeName(TableName name) {
        boolean free = store.find(name).isEmpty() && !cold.isTaken(name);
        return free ? name : new TableName(name.namespace(), name.name() + "." + store.ticket());
    }

    static RuntimeException asError(StoreException refused) {
        return refused.error() == StoreError.BAD_SPEC || refused.error() == StoreError.TOO_LARGE
                ? new SqlError(SqlCode.INVALID_DEFINITION, String.valueOf(refused.getMessage()))
                : refused;
    }

    /**
     * Adds a column to the store and returns its place. Stored columns are never renamed; if the name is taken, a
     * number is appended.
     */
    int addColumn(TableDef def, ColumnDef column, int first) {
        TableSpec spec = physical(def.physical()).spec();
        List<Column> stored = RowFormat.stored(spec);
        ColumnType type = StoredValues.physical(column.type());
        // A crash between this and the definition leaves a column. It is reused for the same type; otherwise it stays
        // unused.
        for (int place = first; place < stored.size(); place++) {
            if (stored.get(place).type() == type) {
                return place;
            }
        }
        String name = column.name();
        for (int number = column.id(); spec.indexOf(name) >= 0; number++) {
            name = column.name() + "#" + number;
        }
        try {
            store.addColumn(def.physical(), new Column(name, type));
        } catch (StoreException refused) {
            throw asError(refused);
        }
        return stored.size();
    }
}
