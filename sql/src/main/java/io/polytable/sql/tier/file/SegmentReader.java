package io.polytable.sql.tier.file;

import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.tier.storage.StorageFailure;
import io.polytable.sql.type.SqlType;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** Reads one segment. */
public final class SegmentReader {
    private final Path file;
    private final SqlTable table;
    private final ParquetMetadata footer;
    private final MessageType projection;

    private SegmentReader(Path file, SqlTable table, ParquetMetadata footer, boolean keysOnly) {
        this.file = file;
        this.table = table;
        this.footer = footer;
        projection = projection(footer.getFileMetaData().getSchema(), table.def(), keysOnly);
    }

    public static SegmentReader open(Path file, SqlTable table, Footers footers) {
        return new SegmentReader(file, table, footers.of(file), false);
    }

    /** Reads only keys and system columns; all other columns are null. */
    public static SegmentReader ofKeys(Path file, SqlTable table, Footers footers) {
        return new SegmentReader(file, table, footers.of(file), true);
    }

    private static MessageType projection(MessageType schema, TableDef def, boolean keysOnly) {
        List<Type> fields = new ArrayList<>();
        for (Type field : schema.getFields()) {
            boolean system = field.getId() == null;
            boolean wanted = def.columns().stream()
                    .anyMatch(column -> RowMaterializer.isColumn(field, column) && (!keysOnly || def.isKey(column)));
            if (system || wanted) {
                fields.add(field);
            }
        }
        return new MessageType(schema.getName(), fields);
    }

    private static ParquetReadOptions options(FilterCompat.@Nullable Filter filter) {
        ParquetReadOptions.Builder builder = ParquetReadOptions.builder(new PlainParquetConfiguration());
        return (filter == null ? builder : builder.withRecordFilter(filter)).build();
    }

    private ParquetFileReader reader(ParquetReadOptions options) throws IOException {
        LocalInputFile input = new LocalInputFile(file);
        ParquetFileReader reader = new ParquetFileReader(input, footer, options, input.newStream());
        reader.setRequestedSchema(projection);
        return reader;
    }

    /** The row of the key. Statistics and bloom filters exclude row groups, the page index excludes pages. */
    public Optional<StoredRow> find(Bytes key) {
        Optional<FilterPredicate> predicate = predicate(key);
        FilterCompat.Filter filter = predicate.map(FilterCompat::get).orElse(FilterCompat.NOOP);
        try (ParquetFileReader reader = reader(options(predicate.isPresent() ? filter : null))) {
            MessageColumnIO columns = columnIo();
            for (int group = 0; group < reader.getRowGroups().size(); group++) {
                PageReadStore pages = reader.readFilteredRowGroup(group);
                if (pages == null) {
                    continue;
                }
                var records = columns.getRecordReader(pages, new RowMaterializer(table, projection), filter);
                for (long i = 0; i < pages.getRowCount(); i++) {
                    // Null if the filter excludes the row.
                    @Nullable StoredRow row = records.read();
                    if (row != null
                            && !records.shouldSkipCurrentRecord()
                            && row.key().bytes().equals(key)) {
                        return Optional.of(row);
                    }
                }
            }
            return Optional.empty();
        } catch (IOException | RuntimeException failure) {
            throw failed(failure);
        }
    }

    private MessageColumnIO columnIo() {
        return new ColumnIOFactory()
                .getColumnIO(projection, footer.getFileMetaData().getSchema());
    }

    /** Equality with the key's columns, as far as Parquet can filter by them. */
    private Optional<FilterPredicate> predicate(Bytes key) {
        TableDef def = table.def();
        if (def.hasRowId()) {
            return Optional.of(FilterApi.eq(FilterApi.longColumn(TableDef.ROW_ID), table.rowId(key)));
        }
        @Nullable Object[] values = table.keyValues(key);
        Optional<FilterPredicate> all = Optional.empty();
        for (int id : def.key()) {
            int index = def.indexOfId(id);
            Object value = values[index];
            Optional<FilterPredicate> one =
                    value == null ? Optional.empty() : equality(def.columns().get(index), value);
            if (one.isPresent()) {
                all = all.isPresent() ? Optional.of(FilterApi.and(all.get(), one.get())) : one;
            }
        }
        return all;
    }

    private Optional<FilterPredicate> equality(ColumnDef column, Object value) {
        String name = projection.getFields().stream()
                .filter(field -> RowMaterializer.isColumn(field, column))
                .map(Type::getName)
                .findFirst()
                .orElse(".");
        if (name.indexOf('.') >= 0) {
            return Optional.empty();
        }
        SqlType type = column.type();
        return switch (type.kind()) {
            case SMALLINT, INT, DATE ->
                Optional.of(FilterApi.eq(FilterApi.intColumn(name), (Integer) FileValues.number(type, value)));
            case BIGINT, TIME, TIMESTAMP ->
                Optional.of(FilterApi.eq(FilterApi.longColumn(name), (Long) FileValues.number(type, value)));
            case TEXT, BYTES, UUID -> {
                Binary binary = FileValues.binary(type, value);
                yield Optional.of(FilterApi.eq(FilterApi.binaryColumn(name), binary));
            }
            // Zero and NaN compare in more than one way; a decimal is stored in one of three types.
            case BOOLEAN, FLOAT, DOUBLE, DECIMAL, JSON, UNKNOWN -> Optional.empty();
        };
    }

    /** The rows of the file within the ranges, which are disjoint. */
    public Walk walk(List<KeyRange> ranges, Direction direction) {
        try {
            return new Walk(ranges, direction);
        } catch (IOException | RuntimeException failure) {
            throw failed(failure);
        }
    }

    /** Parquet does not check what it reads: a damaged page may end in any exception, also that of an array's size. */
    private static StorageFailure failed(Exception failure) {
        return new StorageFailure("A file cannot be read: " + failure.getMessage(), failure);
    }

    /** A cursor over one file. */
    public final class Walk implements AutoCloseable {
        private final ParquetFileReader reader;
        private final List<KeyRange> ranges;
        private final boolean forward;
        private final MessageColumnIO columns = columnIo();
        private final RowMaterializer rows = new RowMaterializer(table, projection);
        private final List<Integer> groups;
        private Iterator<StoredRow> group = List.<StoredRow>of().iterator();

        private Walk(List<KeyRange> ranges, Direction direction) throws IOException {
            this.ranges =
                    ranges.stream().sorted(Comparator.comparing(KeyRange::from)).toList();
            forward = direction == Direction.FORWARD;
            groups = new ArrayList<>(new GroupRanges(table, projection).within(footer, ranges));
            if (!forward) {
                Collections.reverse(groups);
            }
            reader = reader(options(null));
        }

        /** The next row, or null at the end. */
        public @Nullable StoredRow next() {
            while (true) {
                while (group.hasNext()) {
                    StoredRow row = group.next();
                    if (isWanted(row.key().bytes())) {
                        return row;
                    }
                }
                if (groups.isEmpty()) {
                    return null;
                }
                group = read(groups.remove(0));
            }
        }

        /** Whether the last range that begins at or before the key contains it: the ranges are disjoint. */
        private boolean isWanted(Bytes key) {
            int low = 0;
            int high = ranges.size() - 1;
            while (low < high) {
                int middle = (low + high + 1) >>> 1;
                if (ranges.get(middle).from().compareTo(key) <= 0) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            return !ranges.isEmpty() && ranges.get(low).contains(key);
        }

        private Iterator<StoredRow> read(int number) {
            try {
                PageReadStore pages = reader.readRowGroup(number);
                var records = columns.getRecordReader(pages, rows);
                long count = pages.getRowCount();
                if (forward) {
                    return new Iterator<>() {
                        private long left = count;

                        @Override
                        public boolean hasNext() {
                            return left > 0;
                        }

                        @Override
                        public StoredRow next() {
                            left--;
                            // Pages are decoded here, long after the group was read.
                            try {
                                return records.read();
                            } catch (RuntimeException failure) {
                                throw failed(failure);
                            }
                        }
                    };
                }
                List<StoredRow> all = new ArrayList<>((int) count);
                for (long i = 0; i < count; i++) {
                    all.add(records.read());
                }
                Collections.reverse(all);
                return all.iterator();
            } catch (IOException | RuntimeException failure) {
                throw failed(failure);
            }
        }

        @Override
        public void close() {
            try {
                reader.close();
            } catch (IOException closed) {
                throw failed(closed);
            }
        }
    }
}
