package io.polytable.sql.tier.file;

import io.polytable.sql.tier.manifest.Segment;
import io.polytable.sql.tier.storage.FileChecksum;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;

/** Compares a Parquet file with what its manifest says. */
public final class FileCheck {
    private FileCheck() {}

    /**
     * What is wrong with the file, if anything.
     *
     * @param deep reads all pages, not only the footer
     */
    public static Optional<String> problem(Path file, Segment segment, boolean deep) {
        ParquetReadOptions options = ParquetReadOptions.builder(new PlainParquetConfiguration())
                .usePageChecksumVerification(true)
                .build();
        try {
            if (deep && segment.sha256().isPresent()) {
                String present = FileChecksum.of(file);
                if (!present.equals(segment.sha256().get())) {
                    return Optional.of("differs from its checksum: SHA-256 " + present + " instead of "
                            + segment.sha256().get());
                }
            }
            try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file), options)) {
                if (reader.getRecordCount() != segment.rows()) {
                    return Optional.of("has " + reader.getRecordCount() + " rows instead of " + segment.rows());
                }
                if (deep) {
                    readPages(reader);
                }
            }
            return Optional.empty();
        } catch (IOException | RuntimeException unreadable) {
            // Parquet throws all kinds of exceptions for bytes that are not Parquet.
            return Optional.of("cannot be read: " + unreadable.getMessage());
        }
    }

    private static void readPages(ParquetFileReader reader) throws IOException {
        for (PageReadStore group = reader.readNextRowGroup(); group != null; group = reader.readNextRowGroup()) {
            for (ColumnDescriptor column : reader.getFileMetaData().getSchema().getColumns()) {
                PageReader pages = group.getPageReader(column);
                pages.readDictionaryPage();
                DataPage page = pages.readPage();
                while (page != null) {
                    page = pages.readPage();
                }
            }
        }
    }
}
