package io.polytable.sql.tier.file;

import io.polytable.sql.tier.storage.StorageFailure;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.LocalInputFile;

/**
 * An LRU cache of Parquet footers. Files never change, but one may be replaced: a file whose commit was lost with the
 * log's end has its name used again.
 */
public final class Footers {
    /** Limit of the column chunks that the cached footers describe; each takes some hundred bytes. */
    static final long CHUNKS_MAX = 100_000;

    private final Map<Version, ParquetMetadata> known = new LinkedHashMap<>(16, 0.75f, true);
    private long chunks;

    /** A file as it is now. */
    private record Version(Path file, long bytes, FileTime modified, Optional<Object> inode) {
        static Version of(Path file) {
            try {
                BasicFileAttributes present = Files.readAttributes(file, BasicFileAttributes.class);
                return new Version(
                        file, present.size(), present.lastModifiedTime(), Optional.ofNullable(present.fileKey()));
            } catch (NoSuchFileException absent) {
                throw absent(file, absent);
            } catch (IOException failure) {
                throw new StorageFailure("A file cannot be read: " + failure.getMessage(), failure);
            }
        }
    }

    private static StorageFailure absent(Path file, IOException cause) {
        return new StorageFailure("A file that a manifest lists is not there: " + file.getFileName(), cause);
    }

    ParquetMetadata of(Path file) {
        Version version = Version.of(file);
        synchronized (known) {
            ParquetMetadata footer = known.get(version);
            if (footer != null) {
                return footer;
            }
        }
        ParquetMetadata footer = read(file);
        keep(version, footer);
        return footer;
    }

    private void keep(Version file, ParquetMetadata footer) {
        synchronized (known) {
            chunks += chunks(footer);
            ParquetMetadata same = known.put(file, footer);
            chunks -= same == null ? 0 : chunks(same);
            Iterator<ParquetMetadata> eldest = known.values().iterator();
            while (chunks > CHUNKS_MAX && known.size() > 1) {
                chunks -= chunks(eldest.next());
                eldest.remove();
            }
        }
    }

    private static long chunks(ParquetMetadata footer) {
        return footer.getBlocks().stream()
                .mapToLong(block -> block.getColumns().size())
                .sum();
    }

    private static ParquetMetadata read(Path file) {
        ParquetReadOptions options =
                ParquetReadOptions.builder(new PlainParquetConfiguration()).build();
        try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file), options)) {
            return reader.getFooter();
        } catch (NoSuchFileException | FileNotFoundException absent) {
            throw absent(file, absent);
        } catch (IOException | RuntimeException failure) {
            // Parquet throws all kinds of exceptions for bytes that are not Parquet.
            throw new StorageFailure("A file cannot be read: " + failure.getMessage(), failure);
        }
    }
}
