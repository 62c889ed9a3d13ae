package io.polytable.store.fluss;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.polytable.store.directory.DiskSync;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The binding of a data directory to its log in Fluss, kept in a local file. It holds the log's incarnation, so that
 * the state is never continued with another log, and the number of the last owner from this directory. Its lease need
 * not be waited for: whoever has the directory locked knows that the owning process is dead. That holds for the very
 * directory alone, so the file also holds its {@link DirectoryIdentity}: the owner of a copied directory may be alive.
 */
public record LogBinding(long incarnation, long owner) {
    private static final String FILE = "fluss.properties";
    private static final String UNFINISHED = FILE + ".tmp";
    private static final String DIRECTORY = "directory";

    /** Whether the directory's log is in Fluss. */
    public static boolean isIn(Path logDirectory) {
        return Files.exists(logDirectory.resolve(FILE));
    }

    /** Whether the directory has no log yet: nothing, or only an unfinished binding. */
    static boolean isUnused(Path logDirectory) {
        if (!Files.exists(logDirectory)) {
            return true;
        }
        try (Stream<Path> files = Files.list(logDirectory)) {
            return files.allMatch(file -> file.equals(logDirectory.resolve(UNFINISHED)));
        } catch (IOException e) {
            throw io(logDirectory, e);
        }
    }

    static Optional<LogBinding> read(Path logDirectory) {
        if (!isIn(logDirectory)) {
            return Optional.empty();
        }
        Properties properties = properties(logDirectory);
        try {
            return Optional.of(new LogBinding(
                    Long.parseLong(properties.getProperty("incarnation", "")),
                    Long.parseLong(properties.getProperty("owner", ""))));
        } catch (NumberFormatException e) {
            throw new StoreException(
                    StoreError.CORRUPT,
                    "Not a note about a log in Fluss",
                    Map.of("file", logDirectory.resolve(FILE)),
                    e);
        }
    }

    /** The last owner from this directory, if it is certainly dead. The caller has the directory locked. */
    static Optional<Long> deadOwner(Path logDirectory) {
        if (!isIn(logDirectory)) {
            return Optional.empty();
        }
        Optional<String> written = Optional.ofNullable(properties(logDirectory).getProperty(DIRECTORY));
        return written.isPresent() && written.equals(DirectoryIdentity.of(logDirectory))
                ? read(logDirectory).map(LogBinding::owner)
                : Optional.empty();
    }

    private static Properties properties(Path logDirectory) {
        Path file = logDirectory.resolve(FILE);
        try (var in = Files.newBufferedReader(file, UTF_8)) {
            Properties properties = new Properties();
            properties.load(in);
            return properties;
        } catch (IOException e) {
            throw io(file, e);
        }
    }

    void write(Path logDirectory) {
        Path file = logDirectory.resolve(FILE);
        Path unfinished = logDirectory.resolve(UNFINISHED);
        try {
            DiskSync.createDirectories(logDirectory);
            List<String> lines = new ArrayList<>(List.of("incarnation=" + incarnation, "owner=" + owner));
            DirectoryIdentity.of(logDirectory).ifPresent(identity -> lines.add(DIRECTORY + "=" + identity));
            Files.write(unfinished, lines, UTF_8);
            // Without it a power loss could leave an empty file, and a directory that cannot be opened.
            DiskSync.FSYNC.sync(unfinished);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            DiskSync.FSYNC.sync(logDirectory);
        } catch (IOException e) {
            throw io(file, e);
        }
    }

    private static StoreException io(Path file, IOException cause) {
        return new StoreException(
                StoreError.IO, "The note about the log in Fluss cannot be used", Map.of("file", file), cause);
    }
}
