package io.polytable.hbase.meta;

import io.polytable.cells.Cell;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.store.CellReads;
import io.polytable.hbase.catalog.Catalog;
import io.polytable.hbase.catalog.Region;
import io.polytable.hbase.catalog.Tables;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

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
        return new Built(tables, MetaRows.of(tables, address, table -> true));
    }

    /**
     * The table as a client reads it that may see only these tables' regions. Of another table it sees one region, of the
     * whole table, so that its calls are refused for the right reason; where the others begin would show keys of rows.
     */
    public CellReads shownTo(Predicate<TableName> isShown) {
        return view(() -> MetaRows.of(catalog.tables(), address, isShown));
    }

    /** The region that stands for all regions of a table which a client may not see. */
    public static Region hiddenRegion(org.apache.hadoop.hbase.TableName table) {
        return new Region(MetaRows.whole(table), view(Collections::emptyNavigableMap), SPEC);
    }

    private static CellReads view(Supplier<NavigableMap<Bytes, List<Cell>>> source) {
        return new ViewTable(MetaRows.ORDER) {
            @Override
            NavigableMap<Bytes, List<Cell>> rows() {
                return source.get();
            }
        };
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
