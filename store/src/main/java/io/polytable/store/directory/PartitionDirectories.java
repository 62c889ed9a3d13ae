package io.polytable.store.directory;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * The directories of a store's partitions. A single partition uses the data directory itself. Several partitions have one
 * subdirectory each, and the file {@code GROUPS} holds their number.
 */
public final class PartitionDirectories {
    private static final String FILE = "GROUPS";
    private static final String PREFIX = "polytable-groups ";

    private PartitionDirectories() {}

    /** The partition's number as used in names. */
    public static String label(int partition) {
        return String.format(Locale.ROOT, "%02d", partition);
    }

    public static Path of(Path directory, int partition) {
        return directory.resolve("group-" + label(partition));
    }

    /** The directory of a partition in a store of {@code partitions} partitions. */
    public static Path of(Path directory, int partition, int partitions) {
        return partitions == 1 ? directory : of(directory, partition);
    }

    /** The number of partitions in the directory; 0 without data. */
    public static int present(Path directory) {
        Path file = directory.resolve(FILE);
        if (StoreDirectory.isWritten(file)) {
            return read(file);
        }
        if (Files.exists(of(directory, 0))) {
            throw new StoreException(
                    StoreError.CORRUPT,
                    "The data directory has partitions and no GROUPS file: a restore into it did not finish, or the file was lost",
                    Map.of("path", file));
        }
        boolean isUsed =
                Files.exists(StoreDirectory.logOf(directory)) || Files.exists(StoreDirectory.stateOf(directory));
        return isUsed ? 1 : 0;
    }

    /** Refuses a directory written with another number of partitions; records the number in a directory without data. */
    public static void take(Path directory, int partitions) {
        check(directory, partitions);
        if (partitions > 1 && present(directory) == 0) {
            mark(directory, partitions);
        }
    }

    /** Refuses a directory written with another number of partitions. */
    public static void check(Path directory, int partitions) {
        int present = present(directory);
        if (present != 0 && present != partitions) {
            throw new StoreException(
                    StoreError.BAD_SPEC,
                    "The data directory was written with another number of partitions",
                    Map.of("path", directory, "written", present, "configured", partitions));
        }
    }

    public static void mark(Path directory, int partitions) {
        Path file = directory.resolve(FILE);
        try {
            DiskSync.createDirectories(directory);
            DiskSync.FSYNC.replace(file, PREFIX + partitions + "\n");
        } catch (IOException e) {
            throw StoreDirectory.io("Cannot write", file, e);
        }
    }

    private static int read(Path file) {
        try {
            String text = Files.readString(file).strip();
            if (text.startsWith(PREFIX)) {
                return Integer.parseInt(text.substring(PREFIX.length()));
            }
        } catch (NumberFormatException e) {
            throw new StoreException(StoreError.CORRUPT, "Not a number of partitions", Map.of("path", file), e);
        } catch (IOException e) {
            throw StoreDirectory.io("Cannot read", file, e);
        }
        throw new StoreException(StoreError.CORRUPT, "Not a number of partitions", Map.of("path", file));
    }
}
