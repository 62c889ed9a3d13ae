package io.polytable.entity.embedded.view;

import io.polytable.cells.CellException;
import io.polytable.cells.CellRow;
import io.polytable.cells.RowRange;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.StepLimit;
import io.polytable.cells.store.CellStore;
import io.polytable.entity.cell.CellCodec;
import io.polytable.entity.cell.CellCodecs;
import io.polytable.entity.cell.ValueText;
import io.polytable.entity.key.EntityRange;
import io.polytable.entity.layout.CellType;
import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.Permission;
import io.polytable.entity.permit.Permissions;
import io.polytable.entity.schema.SchemaTable;
import io.polytable.frontend.view.View;
import io.polytable.frontend.view.ViewImport;
import io.polytable.table.Bytes;
import io.polytable.table.Reader;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableName;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Access of the views to one entity table: its cells, through a reader, and their codecs. */
final class ShownTable {
    private static final StepLimit STEP = StepLimit.of(100, 1 << 20);

    private final CellStore cells;
    private final TableName name;
    private final LayoutColumns columns;
    private final CellCodecs codecs;
    private final Map<ColumnName, CellCodec> byColumn = new ConcurrentHashMap<>();
    private final KeyColumns keys;
    private final Permissions permissions;

    ShownTable(CellStore cells, String namespace, TableLayout layout, SchemaTable schemas, Permissions permissions) {
        this.cells = cells;
        this.permissions = permissions;
        name = new TableName(namespace, layout.name());
        columns = new LayoutColumns(layout);
        codecs = new CellCodecs(schemas);
        keys = new KeyColumns(layout.keys());
    }

    TableName name() {
        return name;
    }

    boolean isReadableBy(String user) {
        return user.equals(View.ROOT)
                || permissions.of(user, Optional.of(name.name())).contains(Permission.READ);
    }

    /** The view of the table's cells, here and in the cell store beneath. */
    TableName cellsName() {
        return new TableName(name.namespace(), name.name() + "_cells");
    }

    /** Imports into the underlying cell table; empty if that was dropped. */
    Optional<ViewImport> cellsImport() {
        return cells.views().stream()
                .filter(view -> view.name().equals(cellsName()))
                .findFirst()
                .flatMap(View::importer);
    }

    LayoutColumns columns() {
        return columns;
    }

    KeyColumns keys() {
        return keys;
    }

    /** All qualifiers of a map-type family share one codec, under the family's name. */
    CellCodec codec(LayoutColumns.Family family, String qualifier) {
        ColumnName key = family.isMap()
                ? ColumnName.family(family.layout().name())
                : ColumnName.of(family.layout().name(), qualifier);
        return byColumn.computeIfAbsent(
                key,
                column ->
                        codecs.codec(column.toString(), family.schema(qualifier).orElseThrow()));
    }

    /** A cell's value as text. A message whose class is missing is shown as its bytes. */
    String text(LayoutColumns.Family family, String qualifier, Bytes stored) {
        boolean isMessage = family.schema(qualifier)
                .filter(schema -> schema.type() == CellType.PROTOBUF)
                .isPresent();
        return isMessage
                ? ValueText.of(stored.toByteArray())
                : ShownValues.text(ShownValues.decoded(codec(family, qualifier), stored));
    }

    /** Rows of a range. */
    Rows rows(Reader reader, EntityRange range, Selection selection) {
        ScanRequest request = ScanRequest.of(new RowRange(range.from(), range.to()), selection);
        try {
            return new Rows(cells.scan(name, reader, request));
        } catch (CellException e) {
            throw failed(e);
        }
    }

    static StoreException failed(RuntimeException e) {
        return new StoreException(
                StoreError.BAD_VALUE, "Entities cannot be shown", Map.of("reason", String.valueOf(e.getMessage())), e);
    }

    /** Rows of cells one by one. */
    static final class Rows implements AutoCloseable {
        private final CellScanner scanner;
        private Iterator<CellRow> fetched = List.<CellRow>of().iterator();
        private CellRow row = new CellRow(Bytes.EMPTY, List.of(), false);
        private boolean more = true;

        Rows(CellScanner scanner) {
            this.scanner = scanner;
        }

        boolean next() {
            while (!fetched.hasNext()) {
                if (!more) {
                    return false;
                }
                ScanStep step;
                try {
                    step = scanner.next(STEP);
                } catch (CellException e) {
                    throw failed(e);
                }
                fetched = step.rows().iterator();
                more = step.hasMore();
            }
            row = fetched.next();
            return true;
        }

        CellRow row() {
            return row;
        }

        @Override
        public void close() {
            scanner.close();
        }
    }
}
