package io.polytable.entity.session;

import io.polytable.entity.cell.CellCodec;
import io.polytable.entity.cell.CellCodecs;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.entity.store.StoredTable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A layout with the codecs and lookups that reads and writes need. */
public final class LayoutState {
    private final LayoutColumns columns;
    private final StoredTable stored;
    private final CellCodecs codecs;
    private final Map<ColumnName, CellCodec> byColumn = new ConcurrentHashMap<>();

    LayoutState(LayoutColumns columns, StoredTable stored, CellCodecs codecs) {
        this.columns = columns;
        this.stored = stored;
        this.codecs = codecs;
    }

    public TableLayout layout() {
        return columns.layout();
    }

    public LayoutColumns columns() {
        return columns;
    }

    public KeyFormat keys() {
        return columns.layout().keys();
    }

    public StoredTable stored() {
        return stored;
    }

    public CellCodec codec(ColumnName column) {
        LayoutColumns.Family family = columns.family(column.family());
        // All qualifiers of a map-type family share the family's codec: one entry, not one each.
        ColumnName key = family.isMap() ? ColumnName.family(column.family()) : column;
        CellCodec known = byColumn.get(key);
        if (known == null) {
            known = codecs.codec(key.toString(), columns.schema(column));
            byColumn.put(key, known);
        }
        return known;
    }

    public CellSchema schema(ColumnName column) {
        return columns.schema(column);
    }

    public ColumnPlace place(ColumnName column) {
        LayoutColumns.Family family = columns.family(column.family());
        return new ColumnPlace(family.group().id(), family.layout().id(), columns.storedQualifier(column));
    }
}
