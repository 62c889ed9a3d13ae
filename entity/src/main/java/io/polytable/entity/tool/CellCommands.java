package io.polytable.entity.tool;

import io.polytable.entity.EntityTable;
import io.polytable.entity.cell.ValueText;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.key.EntityRange;
import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.read.EntityCell;
import io.polytable.entity.read.EntityRow;
import io.polytable.entity.read.RowScanner;
import io.polytable.entity.request.ColumnRequest;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.request.RowFilterJson;
import io.polytable.entity.request.ScanOptions;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.write.TableWriter;
import io.polytable.table.Bytes;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Commands that read and write cells. */
final class CellCommands {
    private CellCommands() {}

    /** The URI's columns, or all families. */
    private static DataRequest request(EntityTable table, EntityUri uri, int versions) {
        DataRequest request = DataRequest.EMPTY;
        List<ColumnName> columns = uri.columns();
        if (columns.isEmpty()) {
            columns = new LayoutColumns(table.layout())
                    .families().stream()
                            .map(family -> ColumnName.family(family.layout().name()))
                            .toList();
        }
        for (ColumnName column : columns) {
            request = request.with(ColumnRequest.of(column).versions(versions));
        }
        return request;
    }

    private static void print(PrintWriter out, EntityRow row) {
        out.println(row.id());
        for (EntityCell cell : row.allCells()) {
            out.println("  " + cell.column() + "\t" + cell.timestamp() + "\t"
                    + ValueText.of(cell.shown().value()));
        }
    }

    private static ColumnName single(EntityUri uri) {
        if (uri.columns().size() != 1) {
            throw new EntityException(EntityError.BAD_URI, "The URI must name one column");
        }
        return uri.columns().get(0);
    }

    @Command(name = "get", description = "Prints an entity.")
    static final class Get extends UriCommand {
        @Option(names = "--id", required = true, paramLabel = "ID", description = "such as alice or ['alice', 42]")
        private String id = "";

        @Option(names = "--versions", paramLabel = "N", description = "versions of each column")
        private int versions = 1;

        @Override
        void run(EntityUri uri) {
            inTable(uri, table -> {
                EntityRow row = table.reader().get(table.parseId(id), request(table, uri, versions));
                print(out(), row);
            });
        }
    }

    @Command(name = "scan", description = "Prints entities.")
    static final class Scan extends UriCommand {
        @Option(names = "--from", paramLabel = "ID", description = "the first entity")
        private Optional<String> from = Optional.empty();

        @Option(names = "--to", paramLabel = "ID", description = "the entity to stop before")
        private Optional<String> to = Optional.empty();

        @Option(names = "--limit", paramLabel = "N", description = "entities at most")
        private long limit = Long.MAX_VALUE;

        @Option(names = "--versions", paramLabel = "N", description = "versions of each column")
        private int versions = 1;

        @Option(names = "--filter", paramLabel = "JSON", description = "such as {\"has\":\"info:name\"}")
        private Optional<String> filter = Optional.empty();

        @Override
        void run(EntityUri uri) {
            inTable(uri, table -> {
                Bytes start = from.map(text -> table.parseId(text).rowKey()).orElse(Bytes.EMPTY);
                Bytes end = to.map(text -> table.parseId(text).rowKey()).orElse(Bytes.EMPTY);
                ScanOptions options =
                        ScanOptions.ALL.range(new EntityRange(start, end)).limit(limit);
                options = filter.isPresent() ? options.filter(RowFilterJson.parse(filter.get())) : options;
                try (RowScanner scanner = table.reader().scan(request(table, uri, versions), options)) {
                    scanner.forEachRemaining(row -> print(out(), row));
                }
            });
        }
    }

    @Command(name = "put", description = "Writes a cell.")
    static final class Put extends UriCommand {
        @Option(names = "--id", required = true, paramLabel = "ID", description = "the entity")
        private String id = "";

        @Option(names = "--value", required = true, paramLabel = "VALUE", description = "Avro as JSON; bytes as hex")
        private String value = "";

        @Option(names = "--time", paramLabel = "MILLIS", description = "the cell's timestamp")
        private long time = CellEdit.NOW;

        @Override
        void run(EntityUri uri) {
            inTable(uri, table -> {
                ColumnName column = single(uri);
                Object parsed =
                        ValueText.parse(column.toString(), new LayoutColumns(table.layout()).schema(column), value);
                table.writer().put(table.parseId(id), column.toString(), time, parsed);
            });
        }
    }

    @Command(name = "increment", description = "Adds to a counter and prints its new value.")
    static final class Increment extends UriCommand {
        @Option(names = "--id", required = true, paramLabel = "ID", description = "the entity")
        private String id = "";

        @Option(names = "--by", paramLabel = "N", description = "1 by default")
        private long amount = 1;

        @Override
        void run(EntityUri uri) {
            inTable(
                    uri,
                    table -> out().println(table.writer()
                            .increment(table.parseId(id), single(uri).toString(), amount)));
        }
    }

    @Command(name = "delete", description = "Deletes an entity, a family or a column, also up to a time, or a cell.")
    static final class Delete extends UriCommand {
        @Option(names = "--id", required = true, paramLabel = "ID", description = "the entity")
        private String id = "";

        @Option(names = "--up-to", paramLabel = "MILLIS", description = "only what was written up to then")
        private Optional<Long> upTo = Optional.empty();

        @Option(names = "--at", paramLabel = "MILLIS", description = "only the cell with this timestamp")
        private Optional<Long> at = Optional.empty();

        @Option(names = "--newest", description = "only the newest cell")
        private boolean newest;

        @Override
        void run(EntityUri uri) {
            checkCell(uri);
            inTable(uri, table -> {
                EntityId entity = table.parseId(id);
                if (uri.columns().isEmpty()) {
                    table.writer().deleteRow(entity, upTo.orElse(CellEdit.NOW));
                }
                uri.columns().forEach(column -> delete(table.writer(), entity, column));
            });
        }

        private boolean isCell() {
            return newest || at.isPresent();
        }

        private void checkCell(EntityUri uri) {
            boolean namesColumns =
                    !uri.columns().isEmpty() && uri.columns().stream().noneMatch(ColumnName::isFamily);
            if (isCell() && !namesColumns) {
                // Without its column the command would delete a whole entity.
                throw new EntityException(EntityError.BAD_URI, "With --at or --newest the URI must name a column");
            }
            boolean isOneOf = Stream.of(newest, at.isPresent(), upTo.isPresent())
                            .filter(isSet -> isSet)
                            .count()
                    <= 1;
            if (!isOneOf) {
                throw new EntityException(
                        EntityError.BAD_REQUEST, "A delete has one of --up-to, --at and --newest, or none");
            }
        }

        private void delete(TableWriter writer, EntityId entity, ColumnName column) {
            if (isCell()) {
                writer.deleteCell(entity, column.toString(), at.orElse(CellEdit.NOW));
            } else if (column.isFamily()) {
                writer.deleteFamily(entity, column.family(), upTo.orElse(CellEdit.NOW));
            } else {
                writer.deleteColumn(entity, column.toString(), upTo.orElse(CellEdit.NOW));
            }
        }
    }
}
