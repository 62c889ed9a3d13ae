package io.polytable.sql.tier.file;

import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.tier.storage.StorageFailure;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.OutputFile;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows in key order into one Parquet file. Buffers the first rows until their number is known: a bloom filter
 * for ten thousand values would be most of a file of ten rows.
 */
public final class SegmentWriter implements AutoCloseable {
    /**
     * Small, so that a lookup by key decodes little; DuckDB reads many small groups nearly as fast as few large ones.
     */
    public static final int ROW_GROUP_ROWS = 10_000;

    /** A row group that reaches this size ends early. */
    public static final long ROW_GROUP_BYTES = 32L << 20;

    private static final int PAGE_ROWS = 1000;
    private static final long HELD_BACK_BYTES_MAX = 8L << 20;
    private static final double FALSE_POSITIVES = 0.01;

    private final Path file;
    private final DigestedOutputFile output;
    private final SqlTable table;
    private final CompressionCodecName codec;
    private final List<StoredRow> heldBack = new ArrayList<>();
    private long heldBackBytes;
    private @Nullable ParquetWriter<StoredRow> writer;

    /** Set once the rows exceed the buffer. */
    private @Nullable RowPipe pipe;

    private long rows;
    private long tombstones;
    private Bytes minKey = Bytes.EMPTY;
    private Bytes maxKey = Bytes.EMPTY;

    public SegmentWriter(Path file, SqlTable table) {
        this.file = file;
        this.table = table;
        output = new DigestedOutputFile(file);
        codec = codec(table.def().options().getOrDefault("compression", "zstd"));
    }

    private static CompressionCodecName codec(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "none" -> CompressionCodecName.UNCOMPRESSED;
            case "snappy" -> CompressionCodecName.SNAPPY;
            default -> CompressionCodecName.ZSTD;
        };
    }

    /**
     * Appends a row.
     *
     * @param bytes the approximate size of the row, which the caller knows from its stored form
     */
    public void write(StoredRow row, long bytes) {
        Bytes key = row.key().bytes();
        if (rows > 0 && key.compareTo(maxKey) <= 0) {
            throw new IllegalStateException("Rows of a file come in the order of their keys, each once");
        }
        minKey = rows == 0 ? key : minKey;
        maxKey = key;
        rows++;
        tombstones += row.isDeleted() ? 1 : 0;
        RowPipe target = pipe;
        if (target != null) {
            target.write(row, bytes);
            return;
        }
        heldBack.add(row);
        heldBackBytes += bytes;
        if (heldBack.size() >= ROW_GROUP_ROWS || heldBackBytes > HELD_BACK_BYTES_MAX) {
            pipe = new RowPipe(begin(ROW_GROUP_ROWS));
        }
    }

    private ParquetWriter<StoredRow> begin(long values) {
        try {
            Builder builder = new Builder(output, table)
                    .withConf(new PlainParquetConfiguration())
                    .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
                    .withCompressionCodec(codec)
                    .withRowGroupRowCountLimit(ROW_GROUP_ROWS)
                    .withRowGroupSize(ROW_GROUP_BYTES)
                    .withPageRowCountLimit(PAGE_ROWS)
                    .withStatisticsTruncateLength(Integer.MAX_VALUE);
            for (String column : bloomColumns(table.def())) {
                // Parquet writes no bloom filter for a column that is all dictionary.
                builder = builder.withDictionaryEncoding(column, false)
                        .withBloomFilterEnabled(column, true)
                        .withBloomFilterNDV(column, values)
                        .withBloomFilterFPP(column, FALSE_POSITIVES);
            }
            ParquetWriter<StoredRow> made = builder.build();
            writer = made;
            for (StoredRow row : heldBack) {
                write(made, row);
            }
            heldBack.clear();
            return made;
        } catch (IOException failure) {
            throw failed(failure);
        }
    }

    /** The columns that lookups by key filter by, except names with dots, which Parquet's settings take for paths. */
    static List<String> bloomColumns(TableDef def) {
        List<String> columns = def.hasRowId() ? List.of(TableDef.ROW_ID) : def.keyNames();
        return columns.stream().filter(name -> name.indexOf('.') < 0).toList();
    }

    private void write(ParquetWriter<StoredRow> target, StoredRow row) {
        try {
            target.write(row);
        } catch (IOException failure) {
            throw failed(failure);
        }
    }

    private StorageFailure failed(IOException failure) {
        return new StorageFailure("A file cannot be written: " + failure.getMessage(), failure);
    }

    /** Writes buffered rows and the footer, and closes the file. */
    public void finish() {
        RowPipe rest = pipe;
        if (rest != null) {
            rest.finish();
            pipe = null;
        }
        ParquetWriter<StoredRow> ending = writer == null ? begin(Math.max(1, rows)) : writer;
        try {
            ending.close();
        } catch (IOException failure) {
            throw failed(failure);
        }
        writer = null;
    }

    public long rows() {
        return rows;
    }

    public long tombstones() {
        return tombstones;
    }

    public Bytes minKey() {
        return minKey;
    }

    public Bytes maxKey() {
        return maxKey;
    }

    public long bytes() {
        try {
            return Files.size(file);
        } catch (IOException failure) {
            throw failed(failure);
        }
    }

    /** The checksum of the finished file; call it once. */
    public String sha256() {
        return output.sha256();
    }

    /** Deletes a file that was not finished. */
    @Override
    public void close() {
        RowPipe rest = pipe;
        if (rest != null) {
            pipe = null;
            rest.abandon();
        }
        ParquetWriter<StoredRow> left = writer;
        if (left != null) {
            writer = null;
            try {
                left.close();
                Files.deleteIfExists(file);
            } catch (IOException gone) {
                // No manifest references the file; a later reconcile deletes it.
                return;
            }
        }
    }

    private static final class Builder extends ParquetWriter.Builder<StoredRow, Builder> {
        private final SqlTable table;

        Builder(OutputFile file, SqlTable table) {
            super(file);
            this.table = table;
        }

        @Override
        protected Builder self() {
            return this;
        }

        @Override
        @SuppressWarnings("deprecation") // Abstract, so it must exist; never called.
        protected WriteSupport<StoredRow> getWriteSupport(Configuration configuration) {
            return support();
        }

        @Override
        protected WriteSupport<StoredRow> getWriteSupport(ParquetConfiguration configuration) {
            return support();
        }

        private WriteSupport<StoredRow> support() {
            TableDef def = table.def();
            Map<String, String> metadata = Map.of(
                    "polytable.table", def.name().toString(),
                    "polytable.schema_version", Integer.toString(def.version()));
            return new RowWriteSupport(table, FileTypes.schema(def), metadata);
        }
    }
}
