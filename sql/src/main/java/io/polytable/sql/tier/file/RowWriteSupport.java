package io.polytable.sql.tier.file;

import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.type.SqlType;
import io.polytable.table.TableKind;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/** Passes rows of a table to Parquet's writer. */
final class RowWriteSupport extends WriteSupport<StoredRow> {
    private final SqlTable table;
    private final TableDef def;
    private final ColumnDef[] columns;
    private final MessageType schema;
    private final Map<String, String> metadata;
    private @Nullable RecordConsumer consumer;

    RowWriteSupport(SqlTable table, MessageType schema, Map<String, String> metadata) {
        this.table = table;
        this.schema = schema;
        this.metadata = metadata;
        def = table.def();
        columns = def.columns().toArray(ColumnDef[]::new);
    }

    @Override
    @SuppressWarnings("deprecation") // Abstract, so it must exist; never called.
    public WriteContext init(Configuration configuration) {
        return new WriteContext(schema, metadata);
    }

    @Override
    public WriteContext init(ParquetConfiguration configuration) {
        return new WriteContext(schema, metadata);
    }

    @Override
    public void prepareForWrite(RecordConsumer recordConsumer) {
        consumer = recordConsumer;
    }

    @Override
    public void write(StoredRow row) {
        RecordConsumer out = consumer;
        if (out == null) {
            throw new IllegalStateException("Nobody takes rows yet");
        }
        int field = 0;
        out.startMessage();
        if (def.kind() == TableKind.USER) {
            out.startField(FileTypes.USER_ID, field);
            out.addBinary(FileValues.binary(SqlType.TEXT, table.userOf(row.key().bytes())));
            out.endField(FileTypes.USER_ID, field++);
        }
        @Nullable Object[] values = row.values();
        for (int i = 0; i < columns.length; i++, field++) {
            ColumnDef column = columns[i];
            Object value = values[i];
            if (value != null) {
                out.startField(column.name(), field);
                FileValues.write(out, column.type(), value);
                out.endField(column.name(), field);
            }
        }
        if (def.hasRowId()) {
            out.startField(TableDef.ROW_ID, field);
            out.addLong(table.rowId(row.key().bytes()));
            out.endField(TableDef.ROW_ID, field++);
        }
        out.startField(TableDef.UPDATED, field);
        out.addLong(FileValues.micros(row.updated()));
        out.endField(TableDef.UPDATED, field++);
        out.startField(TableDef.DELETED, field);
        out.addBoolean(row.isDeleted());
        out.endField(TableDef.DELETED, field);
        out.endMessage();
    }
}
