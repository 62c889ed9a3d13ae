package io.polytable.sql.model;

import io.polytable.sql.type.SqlType;
import io.polytable.table.Column;
import io.polytable.table.Reader;
import io.polytable.table.TableName;
import io.polytable.table.TableView;
import io.polytable.table.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table that another face shows. Its bytes are mostly text that somebody wrote, so queries see them as text. */
public final class ViewRelation implements Relation {
    private final TableView view;
    private final List<RelationColumn> columns;

    public ViewRelation(TableView view) {
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
    public Rows open(Reader reader, Request request) {
        return new ViewRows(view.open(reader), columns.size());
    }

    private static final class ViewRows implements Rows {
        private final TableView.RowCursor cursor;
        private final @Nullable Object[] row;

        ViewRows(TableView.RowCursor cursor, int columns) {
            this.cursor = cursor;
            row = new Object[columns];
        }

        @Override
        public boolean next() {
            if (!cursor.next()) {
                return false;
            }
            List<Value> values = cursor.row();
            for (int i = 0; i < row.length; i++) {
                row[i] = object(values.get(i));
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
