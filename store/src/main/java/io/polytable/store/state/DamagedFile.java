package io.polytable.store.state;

import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;

/**
 * A table file of the state with blocks that fail their checksums.
 *
 * @param family the column family; empty if even that cannot be read
 * @param after the last key before the damage; empty if the first block is damaged
 * @param before a key shortly after the damage; empty if the last block is damaged
 */
public record DamagedFile(Path file, Optional<String> family, Optional<Bytes> after, Optional<Bytes> before) {
    private static final String SUFFIX = ".sst";

    /** Reads all blocks of all table files; returns those that are damaged or still being written. */
    public static List<DamagedFile> find(Path directory) {
        return find(directory, file -> true);
    }

    /** Reads all blocks of these table files; returns the damaged ones. */
    static List<DamagedFile> find(Path directory, Set<Path> files) {
        return find(directory, files::contains);
    }

    private static List<DamagedFile> find(Path directory, Predicate<Path> isWanted) {
        List<DamagedFile> damaged = new ArrayList<>();
        try (Options options = new Options();
                Stream<Path> all = Files.list(directory)) {
            all.filter(file -> file.toString().endsWith(SUFFIX) && isWanted.test(file))
                    .sorted()
                    .forEach(file -> verify(options, file).ifPresent(damaged::add));
        } catch (IOException e) {
            throw new StoreException(StoreError.IO, "Cannot read the state's directory", Map.of("path", directory), e);
        }
        return damaged;
    }

    private static Optional<DamagedFile> verify(Options options, Path file) {
        try (SstFileReader reader = new SstFileReader(options)) {
            try {
                reader.open(file.toString());
            } catch (RocksDBException e) {
                // A compaction may have deleted it since it was listed.
                return Files.exists(file)
                        ? Optional.of(new DamagedFile(file, Optional.empty(), Optional.empty(), Optional.empty()))
                        : Optional.empty();
            }
            try {
                reader.verifyChecksum();
                return Optional.empty();
            } catch (RocksDBException e) {
                return Optional.of(locate(reader, file));
            }
        }
    }

    private static DamagedFile locate(SstFileReader reader, Path file) {
        try (ReadOptions options = new ReadOptions().setFillCache(false);
                SstFileReaderIterator rows = reader.newIterator(options)) {
            rows.seekToFirst();
            Optional<Bytes> after = Optional.empty();
            for (; rows.isValid(); rows.next()) {
                after = Optional.of(Bytes.of(rows.key()));
            }
            rows.seekToLast();
            Optional<Bytes> before = Optional.empty();
            for (; rows.isValid(); rows.prev()) {
                before = Optional.of(Bytes.of(rows.key()));
            }
            return new DamagedFile(file, family(reader), after, before);
        }
    }

    private static Optional<String> family(SstFileReader reader) {
        try {
            return Optional.of(new String(reader.getTableProperties().getColumnFamilyName(), StandardCharsets.UTF_8));
        } catch (RocksDBException e) {
            return Optional.empty();
        }
    }

    /** One sentence with the file, the table and the keys. */
    public String sentence() {
        return "File " + file.getFileName() + " of "
                + family.map(name -> "table " + Family.tableName(name)).orElse("an unknown table")
                + " is damaged; " + range();
    }

    private String range() {
        if (family.isEmpty()) {
            return "none of its rows can be read";
        }
        if (after.isPresent() && before.isPresent() && after.get().compareTo(before.get()) >= 0) {
            return "all of its rows can be read";
        }
        String from = after.map(key -> "after the key " + key).orElse("from its first key");
        String to = before.map(key -> " and before the key " + key).orElse(" to its last key");
        return "rows of it " + from + to + " cannot be read";
    }
}
