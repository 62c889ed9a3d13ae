package io.polytable.store.memory;

import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import java.util.List;

/** A table that no catalog knows. */
record TestTable(int id, TableSpec spec) implements Table {
    static TestTable numbered(int id) {
        return new TestTable(
                id,
                new TableSpec(
                        new TableName("test", "rows"),
                        TableKind.SHARED,
                        List.of(new Column("k", ColumnType.BYTES), new Column("v", ColumnType.BYTES)),
                        List.of(KeyColumn.ascending("k")),
                        List.of(),
                        TableOptions.DEFAULT));
    }
}
