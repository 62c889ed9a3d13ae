package io.polytable.hbase.meta;

import io.polytable.cells.Cell;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.hbase.catalog.Catalog;
import io.polytable.hbase.catalog.Tables;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.util.List;
import java.util.NavigableMap;

/**
 * {@code hbase:meta}, which clients read to locate regions and get states of tables. It is a view of the catalog,
 * rebuilt by the first read after a change.
 */
public final class MetaTable extends ViewTable {
    public static final TableName NAME = new TableName("hbase", "meta");
    public static final CellTableSpec SPEC =
            CellTableSpec.of(NAME, FamilySpec.of(MetaRows.INFO).withVersions(0, 3), FamilySpec.of(MetaRows.TABLE));

    private record Built(Tables of, NavigableMap<Bytes, List<Cell>> rows) {}

    private final Catalog catalog;
    private final ServerAddress address;
    private volatile Built built;

    public MetaTable(Catalog catalog, ServerAddress address) {
        super(MetaRows.ORDER);
        this.catalog = catalog;
        this.address = address;
        built = build(catalog.tables());
    }

    private Built build(Tables tables) {
        return new Built(tables, MetaRows.of(tables, address));
    }

    @Override
    NavigableMap<Bytes, List<Cell>> rows() {
        Tables now = catalog.tables();
        // A slower thread may replace the field by what it built from older tables.
        Built known = built;
        if (known.of() != now) {
            known = build(now);
            built = known;
        }
        return known.rows();
    }
}
