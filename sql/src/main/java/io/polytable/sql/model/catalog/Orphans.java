package io.polytable.sql.model.catalog;

import io.polytable.sql.model.table.SqlTable;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import java.util.HashSet;
import java.util.Set;

/** Tables of the store that no definition names. */
final class Orphans {
    private Orphans() {}

    /** Drops tables that a crash left between their creation and their definition, or in the middle of a DROP. */
    static void drop(TableStore store, CatalogState state) {
        Set<TableName> known = new HashSet<>();
        for (SqlTable table : state.tables()) {
            known.add(table.def().physical());
            table.indexes().forEach(index -> known.add(index.table().name()));
        }
        for (Table table : store.tables()) {
            TableKind kind = table.spec().kind();
            boolean ours = kind == TableKind.USER
                    || kind == TableKind.SHARED
                    || kind == TableKind.STREAM
                    || (kind == TableKind.FACE
                            && IndexTables.isName(table.name().name()));
            if (ours && !known.contains(table.name())) {
                store.drop(table.name());
            }
        }
    }
}
