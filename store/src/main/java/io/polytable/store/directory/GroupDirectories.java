package io.polytable.store.directory;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * The directories of a store's groups. A single group uses the data directory itself. Several groups have one
 * subdirectory each, and the file {@code GROUPS} holds their number.
 */
public final class GroupDirectories {
    private static final String FILE = "GROUPS";
    private static final String PREFIX = "polytable-groups ";

    private GroupDirectories() {}

    /** The group's number as used in names. */
    public static String label(int group) {
        return String.format(Locale.ROOT, "%02d", group);
    }

    public static Path of(Path directory, int group) {
        return directory.resolve("group-" + label(group));
    }

    /** The directory of a group in a store of {@code groups} groups. */
    public static Path of(Path directory, int group, int groups) {
        return groups == 1 ? directory : of(directory, group);
    }

    /** The number of groups in the directory; 0 without data. */
    public static int present(Path directory) {
        Path file = directory.resolve(FILE);
        if (StoreDirectory.isWritten(file)) {
            return read(file);
        }
        if (Files.exists(of(directory, 0))) {
            throw new StoreException(
                    StoreError.CORRUPT,
                    "The data directory has groups and no GROUPS file: a restore into it did not finish, or the file was lost",
                    Map.of("path", file));
        }
        boolean isUsed =
                Files.exists(StoreDirectory.logOf(directory)) || Files.exists(StoreDirectory.stateOf(directory));
        return isUsed ? 1 : 0;
    }

    /** Refuses a directory written with another number of groups; records the number in a directory without data. */
    public static void take(Path directory, int groups) {
        check(directory, groups);
        if (groups > 1 && present(directory) == 0) {
            mark(directory, groups);
        }
    }

    /** Refuses a directory written with another number of groups. */
    public static void check(Path directory, int groups) {
        int present = present(directory);
        if (present != 0 && present != groups) {
            throw new StoreException(
                    StoreError.BAD_SPEC,
                    "The data directory was written with another number of groups",
                    Map.of("path", directory, "written", present, "configured", groups));
        }
    }

    public static void mark(Path directory, int groups) {
        Path file = directory.resolve(FILE);
        try {
            DiskSync.createDirectories(directory);
            DiskSync.FSYNC.replace(file, PREFIX + groups + "\n");
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
            throw new StoreException(StoreError.CORRUPT, "Not a number of groups", Map.of("path", file), e);
        } catch (IOException e) {
            throw StoreDirectory.io("Cannot read", file, e);
        }
        throw new StoreException(StoreError.CORRUPT, "Not a number of groups", Map.of("path", file));
    }
}
