package io.polytable.table;

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
