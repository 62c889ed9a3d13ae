package io.polytable.sql.tier.file;

import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.tier.storage.StorageFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** Writes rows of any relation into one Parquet file, for an export. */
public final class RelationWriter implements AutoCloseable {
    private final ParquetWriter<@Nullable Object[]> writer;

    public RelationWriter(Path file, List<RelationColumn> columns) {
        try {
            writer = new Builder(new LocalOutputFile(file), columns)
                    .withConf(new PlainParquetConfiguration())
                    .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
                    .withCompressionCodec(CompressionCodecName.ZSTD)
                    .build();
        } catch (IOException failure) {
            throw failed(failure);
        }
    }

    public void write(@Nullable Object[] row) {
        try {
            writer.write(row);
        } catch (IOException failure) {
            throw failed(failure);
        }
    }

    @Override
    public void close() {
        try {
            writer.close();
        } catch (IOException failure) {
            throw failed(failure);
        }
    }

    private static StorageFailure failed(IOException failure) {
        return new StorageFailure("A file cannot be written: " + failure.getMessage(), failure);
    }

    private static final class Builder extends ParquetWriter.Builder<@Nullable Object[], Builder> {
        private final List<RelationColumn> columns;

        Builder(OutputFile file, List<RelationColumn> columns) {
            super(file);
            this.columns = columns;
        }

        @Override
        protected Builder self() {
            return this;
        }

        @Override
        @SuppressWarnings("deprecation") // Abstract, so it must exist; never called.
        protected WriteSupport<@Nullable Object[]> getWriteSupport(Configuration configuration) {
            return new Support(columns);
        }

        @Override
        protected WriteSupport<@Nullable Object[]> getWriteSupport(ParquetConfiguration configuration) {
            return new Support(columns);
        }
    }

    private static final class Support extends WriteSupport<@Nullable Object[]> {
        private final List<RelationColumn> columns;
        private @Nullable RecordConsumer consumer;

        Support(List<RelationColumn> columns) {
            this.columns = columns;
        }

        private WriteContext context() {
            List<Type> fields = columns.stream()
                    .map(column -> (Type) FileTypes.field(column.type(), Type.Repetition.OPTIONAL)
                            .named(column.name()))
                    .toList();
            return new WriteContext(new MessageType("row", fields), Map.of());
        }

        @Override
        @SuppressWarnings("deprecation") // Abstract, so it must exist; never called.
        public WriteContext init(Configuration configuration) {
            return context();
        }

        @Override
        public WriteContext init(ParquetConfiguration configuration) {
            return context();
        }

        @Override
        public void prepareForWrite(RecordConsumer recordConsumer) {
            consumer = recordConsumer;
        }

        @Override
        public void write(@Nullable Object[] row) {
            RecordConsumer out = consumer;
            if (out == null) {
                throw new IllegalStateException("Nobody takes rows yet");
            }
            out.startMessage();
            for (int i = 0; i < columns.size(); i++) {
                Object value = row[i];
                if (value != null) {
                    out.startField(columns.get(i).name(), i);
                    FileValues.write(out, columns.get(i).type(), value);
                    out.endField(columns.get(i).name(), i);
                }
            }
            out.endMessage();
        }
    }
}
