package io.polytable.sql.model.relation;

import io.polytable.frontend.view.AccessPath;
import io.polytable.frontend.view.View;
import io.polytable.frontend.view.ViewScan;
import io.polytable.sql.model.row.StoredValues;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.table.Bytes;
import io.polytable.table.Reader;
import io.polytable.table.TableName;
import io.polytable.table.column.Bound;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnBatch;
import io.polytable.table.column.ColumnRange;
import io.polytable.table.column.Value;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A table of another frontend. Its bytes are mostly text that clients wrote, so queries see them as text. */
public final class ViewRelation implements Relation {
    private final View view;
    private final List<RelationColumn> columns;

    public ViewRelation(View view) {
        this.view = view;
        columns = view.columns().stream()
                .map(column -> RelationColumn.shown(column.name(), type(column)))
                .toList();
    }

    private static SqlType type(Column column) {
        return switch (column.type()) {
            case BYTES -> SqlType.BYTES;
            case STRING -> SqlType.TEXT;
            case BOOLEAN -> SqlType.BOOLEAN;
            case INT -> SqlType.INT;
            case BIGINT -> SqlType.BIGINT;
            case DOUBLE -> SqlType.DOUBLE;
            case TIMESTAMP -> SqlType.TIMESTAMP;
        };
    }

    public View view() {
        return view;
    }

    @Override
    public TableName name() {
        return view.name();
    }

    @Override
    public List<RelationColumn> columns() {
        return columns;
    }

    @Override
    public List<String> key() {
        return view.key();
    }

    @Override
    public String writer() {
        return view.writer();
    }

    /** Reads only the wanted columns, within the ranges that the conditions allow for the key columns. */
    @Override
    public Rows open(Reader reader, Request request) {
        List<String> wanted = wanted(request);
        ViewScan scan = scan(wanted, request);
        int[] places = wanted.stream().mapToInt(name -> indexOf(columns, name)).toArray();
        return new ViewRows(view.rows(reader, scan), places, columns.size());
    }

    private List<String> wanted(Request request) {
        return request.columns().stream()
                .map(index -> columns.get(index).name())
                .distinct()
                .toList();
    }

    private ViewScan scan(List<String> wanted, Request request) {
        if (!view.isReadableBy(request.user())) {
            throw new SqlError(SqlCode.NOT_ALLOWED, "permission denied for table " + name().name());
        }
        return request.path() instanceof AccessPath.Columns some
                ? new ViewScan(wanted, some.columns(), Long.MAX_VALUE)
                : ViewScan.of(wanted);
    }

    @Override
    public Optional<Batches> openBatches(Reader reader, Request request) {
        ViewScan scan = scan(wanted(request), request);
        ColumnBatch batch = new ColumnBatch(scan.columnsOf(view));
        View.BatchCursor cursor = view.open(reader, scan);
        return Optional.of(new Batches() {
            @Override
            public ColumnBatch next() {
                boolean unusedMore = cursor.next(batch);
                return batch;
            }

            @Override
            public void close() {
                cursor.close();
            }
        });
    }

    private static int indexOf(List<RelationColumn> columns, String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(name)) {
                return i;
            }
        }
        throw new IllegalStateException("No column " + name);
    }

    private Optional<ColumnRange> range(String column, List<Condition> conditions) {
        Bound lower = new Bound.Open();
        Bound upper = new Bound.Open();
        for (Condition condition : conditions) {
            boolean one =
                    condition.column().equals(column) && condition.values().size() == 1;
            if (!one) {
                continue;
            }
            Value value = value(condition.value());
            switch (condition.operator()) {
                case "=" -> {
                    return Optional.of(ColumnRange.equalTo(value));
                }
                case ">" -> lower = new Bound.Exclusive(value);
                case ">=" -> lower = new Bound.Inclusive(value);
                case "<" -> upper = new Bound.Exclusive(value);
                default -> upper = new Bound.Inclusive(value);
            }
        }
        boolean open = lower instanceof Bound.Open && upper instanceof Bound.Open;
        return open ? Optional.empty() : Optional.of(new ColumnRange(lower, upper));
    }

    /** Converts a column value to the type of the view. */
    public static Value value(Object value) {
        if (value instanceof Bytes bytes) {
            return new Value.OfBytes(bytes);
        }
        if (value instanceof Integer number) {
            return new Value.OfInt(number);
        }
        if (value instanceof Long number) {
            return new Value.OfBigint(number);
        }
        if (value instanceof Double number) {
            return new Value.OfDouble(number);
        }
        if (value instanceof Boolean bool) {
            return new Value.OfBoolean(bool);
        }
        if (value instanceof Instant moment) {
            return new Value.OfTimestamp(StoredValues.micros(moment));
        }
        return new Value.OfString(value.toString());
    }

    @Override
    public AccessPath plan(String user, List<Condition> conditions) {
        Map<String, ColumnRange> ranges = new TreeMap<>();
        for (String column : view.key()) {
            range(column, conditions).ifPresent(range -> ranges.put(column, range));
        }
        return ranges.isEmpty() ? AccessPath.All.ROWS : new AccessPath.Columns(ranges, view.key());
    }

    private static final class ViewRows implements Rows {
        private final View.RowCursor cursor;
        private final int[] places;
        private final @Nullable Object[] row;

        ViewRows(View.RowCursor cursor, int[] places, int columns) {
            this.cursor = cursor;
            this.places = places;
            row = new Object[columns];
        }

        @Override
        public boolean next() {
            if (!cursor.next()) {
                return false;
            }
            List<Value> values = cursor.row();
            for (int i = 0; i < places.length; i++) {
                row[places[i]] = object(values.get(i));
            }
            return true;
        }

        @Override
        public @Nullable Object[] row() {
            return row;
        }

        @Override
        public void close() {
            cursor.close();
        }
    }

    private static @Nullable Object object(Value value) {
        if (value instanceof Value.OfBytes bytes) {
            return bytes.value();
        }
        if (value instanceof Value.OfString text) {
            return text.value();
        }
        if (value instanceof Value.OfBoolean bool) {
            return bool.value();
        }
        if (value instanceof Value.OfInt number) {
            return number.value();
        }
        if (value instanceof Value.OfBigint number) {
            return number.value();
        }
        if (value instanceof Value.OfDouble number) {
            return number.value();
        }
        return value instanceof Value.OfTimestamp moment ? StoredValues.instant(moment.micros()) : null;
    }
}
