package io.polytable.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.polytable.redis.model.rdb.RdbImport;
import io.polytable.redis.model.rdb.RdbReader;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Properties;

/**
 * How far the import of a file came, in a small file beside the data: its place is valid for the same file of the same
 * size and time only.
 */
final class ImportNotes {
    private final Path notes;
    private final String source;

    private ImportNotes(Path notes, String source) {
        this.notes = notes;
        this.source = source;
    }

    /** @throws IOException when the imported file is not there */
    static ImportNotes of(Path notes, Path file) throws IOException {
        String source = file.toRealPath() + " " + Files.size(file) + " "
                + Files.getLastModifiedTime(file).toMillis();
        return new ImportNotes(notes, source);
    }

    /** Empty when nothing was noted for this file. */
    Optional<RdbImport.Checkpoint> read() throws IOException {
        Properties lines = new Properties();
        try {
            lines.load(new StringReader(Files.readString(notes)));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
        if (!source.equals(lines.getProperty("source"))) {
            return Optional.empty();
        }
        try {
            return Optional.of(new RdbImport.Checkpoint(
                    new RdbReader.Mark(
                            number(lines, "offset"), number(lines, "checksum"), (int) number(lines, "version")),
                    (int) number(lines, "database"),
                    new RdbImport.Totals(number(lines, "keys"), number(lines, "expired"), number(lines, "functions"))));
        } catch (NumberFormatException damaged) {
            return Optional.empty();
        }
    }

    private static long number(Properties lines, String name) {
        return Long.parseLong(lines.getProperty(name, ""));
    }

    void write(RdbImport.Checkpoint checkpoint) {
        String text = String.join(
                "\n",
                "source=" + source.replace("\\", "\\\\"),
                "offset=" + checkpoint.mark().offset(),
                "checksum=" + checkpoint.mark().checksum(),
                "version=" + checkpoint.mark().version(),
                "database=" + checkpoint.database(),
                "keys=" + checkpoint.totals().keys(),
                "expired=" + checkpoint.totals().expired(),
                "functions=" + checkpoint.totals().functions(),
                "");
        try {
            Path next = notes.resolveSibling(notes.getFileName() + ".new");
            Files.write(next, text.getBytes(UTF_8));
            Files.move(next, notes, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    void delete() throws IOException {
        Files.deleteIfExists(notes);
    }
}
