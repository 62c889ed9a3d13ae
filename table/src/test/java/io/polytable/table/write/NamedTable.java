package io.polytable.table.write;

import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import java.util.List;

/** A table that is only an id, for what needs no store. */
record NamedTable(int id) implements Table {
    @Override
    public TableSpec spec() {
        return new TableSpec(
                new TableName("n", "t" + id),
                TableKind.FACE,
                List.of(new Column("k", ColumnType.BYTES)),
                List.of(KeyColumn.ascending("k")),
                List.of(),
                TableOptions.DEFAULT);
    }
}
