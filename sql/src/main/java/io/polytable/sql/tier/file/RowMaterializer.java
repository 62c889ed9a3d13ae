package io.polytable.sql.tier.file;

import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.type.Casts;
import io.polytable.sql.type.SqlType;
import java.time.Instant;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** Builds rows of the current schema from the columns of a file, which may have an older schema. */
final class RowMaterializer extends RecordMaterializer<StoredRow> {
    private final SqlTable table;

    /** Values of rows that are older than a column. */
    private final @Nullable Object[] initial;

    private final Root root;
    private @Nullable Object[] values = new Object[0];
    private String user = "";
    private long rowId;
    private Instant updated = Instant.EPOCH;
    private boolean deleted;

    RowMaterializer(SqlTable table, MessageType projection) {
        this.table = table;
        TableDef def = table.def();
        initial = new Object[def.columns().size()];
        for (int i = 0; i < initial.length; i++) {
            ColumnDef column = def.columns().get(i);
            boolean there = projection.getFields().stream().anyMatch(field -> isColumn(field, column));
            if (!there && column.initialText() != null) {
                initial[i] = Casts.to(column.type(), column.initialText());
            }
        }
        root = new Root(projection);
    }

    static boolean isColumn(Type field, ColumnDef column) {
        return field.getId() != null && field.getId().intValue() == column.id();
    }

    @Override
    public StoredRow getCurrentRecord() {
        return table.keyed(user, rowId, values, updated, deleted);
    }

    @Override
    public GroupConverter getRootConverter() {
        return root;
    }

    private final class Root extends GroupConverter {
        private final Converter[] converters;

        Root(MessageType projection) {
            converters = new Converter[projection.getFieldCount()];
            for (int i = 0; i < converters.length; i++) {
                converters[i] = converter(projection.getType(i));
            }
        }

        private Converter converter(Type field) {
            TableDef def = table.def();
            for (int i = 0; i < def.columns().size(); i++) {
                if (isColumn(field, def.columns().get(i))) {
                    return new ColumnConverter(i, def.columns().get(i).type());
                }
            }
            return new SystemConverter(field.getName());
        }

        @Override
        public Converter getConverter(int index) {
            return converters[index];
        }

        @Override
        public void start() {
            values = initial.clone();
        }

        @Override
        public void end() {
            // The caller asks for the record next.
        }
    }

    private final class ColumnConverter extends PrimitiveConverter {
        private final int index;
        private final SqlType type;

        ColumnConverter(int index, SqlType type) {
            this.index = index;
            this.type = type;
        }

        @Override
        public void addBinary(Binary value) {
            values[index] = FileValues.ofBinary(type, value);
        }

        @Override
        public void addBoolean(boolean value) {
            values[index] = value;
        }

        @Override
        public void addDouble(double value) {
            values[index] = value;
        }

        @Override
        public void addFloat(float value) {
            values[index] = value;
        }

        @Override
        public void addInt(int value) {
            values[index] = FileValues.ofInt(type, value);
        }

        @Override
        public void addLong(long value) {
            values[index] = FileValues.ofLong(type, value);
        }
    }

    private final class SystemConverter extends PrimitiveConverter {
        private final String name;

        SystemConverter(String name) {
            this.name = name;
        }

        @Override
        public void addBinary(Binary value) {
            user = value.toStringUsingUTF8();
        }

        @Override
        public void addBoolean(boolean value) {
            deleted = value;
        }

        @Override
        public void addLong(long value) {
            if (name.equals(TableDef.ROW_ID)) {
                rowId = value;
            } else {
                updated = FileValues.instant(value);
            }
        }
    }
}
