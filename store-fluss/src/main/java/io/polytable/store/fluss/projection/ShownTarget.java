package io.polytable.store.fluss.projection;

import io.polytable.frontend.view.View;
import io.polytable.store.fluss.FlussCluster;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.column.Column;
import io.polytable.table.column.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.types.DataType;
import org.apache.fluss.types.DataTypes;

/** A readable table in Fluss: the frontend's columns, and the log position of each row. Not thread-safe. */
final class ShownTarget {
    static final String POSITION = "log_position";

    /** A property of tables that come and go: it distinguishes tables of the same name. */
    static final String INCARNATION = "polytable.incarnation";

    private final View shown;
    private final TablePath path;
    private final Table table;
    private final UpsertWriter writer;
    private final List<Integer> keyColumns;
    private final long valueBytesMax;

    private ShownTarget(View shown, TablePath path, Table table, long valueBytesMax) {
        this.shown = shown;
        this.path = path;
        this.table = table;
        this.writer = table.newUpsert().createWriter();
        this.valueBytesMax = valueBytesMax;
        List<String> names = shown.columns().stream().map(Column::name).toList();
        this.keyColumns = shown.key().stream().map(names::indexOf).toList();
    }

    static ShownTarget open(FlussCluster cluster, View shown, ProjectionOptions options) {
        TablePath path = cluster.path(shown.name().name());
        Table table = cluster.table(path, descriptor(shown, options.buckets()));
        requireColumns(shown, table);
        return new ShownTarget(shown, path, table, options.valueBytesMax());
    }

    /** Checks the columns: somebody else may have created the table. */
    private static void requireColumns(View shown, Table table) {
        List<String> wanted =
                new ArrayList<>(shown.columns().stream().map(Column::name).toList());
        wanted.add(POSITION);
        List<String> present = table.getTableInfo().getRowType().getFieldNames();
        if (!present.equals(wanted) || !table.getTableInfo().getPrimaryKeys().equals(shown.key())) {
            throw new StoreException(
                    StoreError.BAD_SPEC,
                    "A readable table in Fluss has other columns or another key",
                    Map.of("table", shown.name().name(), "columns", present, "expected", wanted));
        }
    }

    private static TableDescriptor descriptor(View shown, int buckets) {
        Schema.Builder schema = Schema.newBuilder();
        shown.columns().forEach(column -> schema.column(column.name(), type(column)));
        schema.column(POSITION, DataTypes.BIGINT()).primaryKey(shown.key());
        return TableDescriptor.builder()
                .schema(schema.build())
                .distributedBy(buckets, shown.key().subList(0, shown.together()))
                .comment("Kept up by Polytable from its log; to be read, not written")
                .customProperties(shown.incarnation().isEmpty() ? Map.of() : Map.of(INCARNATION, shown.incarnation()))
                .build();
    }

    private static DataType type(Column column) {
        return switch (column.type()) {
            case BYTES -> DataTypes.BYTES();
            case STRING -> DataTypes.STRING();
            case BOOLEAN -> DataTypes.BOOLEAN();
            case INT -> DataTypes.INT();
            case BIGINT -> DataTypes.BIGINT();
            case DOUBLE -> DataTypes.DOUBLE();
            case TIMESTAMP -> DataTypes.TIMESTAMP(FlussValues.MICROSECONDS);
        };
    }

    View shown() {
        return shown;
    }

    TablePath path() {
        return path;
    }

    Table table() {
        return table;
    }

    /** The indexes of the key's columns. */
    int[] keyColumnArray() {
        return keyColumns.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The indexes of the key's columns and of the position. */
    int[] keyAndPosition() {
        int[] columns = Arrays.copyOf(keyColumnArray(), keyColumns.size() + 1);
        columns[keyColumns.size()] = shown.columns().size();
        return columns;
    }

    /** The position in a row that has only these; rows that others wrote may have none. */
    long position(InternalRow row) {
        return row.isNullAt(keyColumns.size()) ? Long.MIN_VALUE : row.getLong(keyColumns.size());
    }

    /** Distinguishes the table from others, also from one of the same name and another incarnation. */
    String identity() {
        String name = shown.name().name();
        return shown.incarnation().isEmpty() ? name : name + "@" + shown.incarnation();
    }

    /** The key in a row that begins with the key's columns. */
    List<Value> key(InternalRow row) {
        List<Value> key = new ArrayList<>();
        for (int i = 0; i < keyColumns.size(); i++) {
            key.add(FlussValues.decode(shown.columns().get(keyColumns.get(i)), row, i));
        }
        return key;
    }

    CompletableFuture<?> put(List<Value> row, long position) {
        GenericRow values = new GenericRow(row.size() + 1);
        for (int i = 0; i < row.size(); i++) {
            boolean fits = keyColumns.contains(i) || FlussValues.sizeBytes(row.get(i)) <= valueBytesMax;
            values.setField(i, fits ? FlussValues.encode(row.get(i)) : null);
        }
        values.setField(row.size(), position);
        return writer.upsert(values);
    }

    CompletableFuture<?> remove(List<Value> key) {
        GenericRow values = new GenericRow(shown.columns().size() + 1);
        for (int i = 0; i < key.size(); i++) {
            values.setField(keyColumns.get(i), FlussValues.encode(key.get(i)));
        }
        return writer.delete(values);
    }
}
