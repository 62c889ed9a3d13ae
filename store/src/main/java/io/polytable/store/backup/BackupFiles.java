package io.polytable.store.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The list of a backup's files, with their lengths and checksums, and of the files that stay in object storages
 * (docs/formats/backup.md). It ends with a checksum of itself.
 */
public final class BackupFiles {
    /** The name of the list in the backup. */
    public static final String NAME = "FILES";

    /** The directory of files of storages, each in the directory of its storage. */
    public static final String STORAGES = "files";

    private static final String HEADER = "polytable-backup-files 2";
    private static final String NONE = "-";

    /**
     * A file of the backup.
     *
     * @param name the path within the backup, with slashes
     */
    public record Entry(String name, long bytes, String sha256) {}

    /** A file that stays in an object storage. */
    public record Remote(
            String storage,
            String path,
            long bytes,
            Optional<String> sha256,
            Optional<String> etag,
            Optional<String> version) {}

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final List<Remote> remotes = new ArrayList<>();
    private final Map<String, Path> bases = new TreeMap<>();

    public void add(Entry entry) {
        entries.put(entry.name(), entry);
    }

    public void add(Remote remote) {
        remotes.add(remote);
    }

    /** Records where the files of a local storage were. */
    public void base(String storage, Path directory) {
        bases.put(storage, directory);
    }

    public List<Entry> entries() {
        return List.copyOf(entries.values());
    }

    public Optional<Entry> entry(String name) {
        return Optional.ofNullable(entries.get(name));
    }

    public List<Remote> remotes() {
        return List.copyOf(remotes);
    }

    public Map<String, Path> bases() {
        return Map.copyOf(bases);
    }

    /** The files of a storage, by their path within it. */
    public Map<String, Entry> ofStorage(String storage) {
        String prefix = STORAGES + "/" + storage + "/";
        Map<String, Entry> found = new LinkedHashMap<>();
        entries.values().stream()
                .filter(entry -> entry.name().startsWith(prefix))
                .forEach(entry -> found.put(entry.name().substring(prefix.length()), entry));
        return found;
    }

    public void write(Path backup) throws IOException {
        StringBuilder text = new StringBuilder(HEADER).append('\n');
        bases.forEach((storage, base) -> line(text, "storage", storage, base.toString()));
        entries.values()
                .forEach(entry -> line(text, "file", Long.toString(entry.bytes()), entry.sha256(), entry.name()));
        remotes.forEach(remote -> line(
                text,
                "remote",
                Long.toString(remote.bytes()),
                remote.sha256().orElse(NONE),
                remote.etag().orElse(NONE),
                remote.version().orElse(NONE),
                remote.storage(),
                remote.path()));
        String checksum = Checksum.of(text.toString().getBytes(UTF_8));
        text.append("end ").append(checksum).append('\n');
        Files.writeString(backup.resolve(NAME), text);
    }

    private static void line(StringBuilder text, String... words) {
        for (int i = 0; i < words.length; i++) {
            text.append(i == 0 ? "" : " ").append(escaped(words[i]));
        }
        text.append('\n');
    }

    /** Words are separated by spaces, lines by line feeds. */
    private static String escaped(String word) {
        return word.replace("%", "%25").replace(" ", "%20").replace("\n", "%0A").replace("\r", "%0D");
    }

    private static String plain(String word) {
        return word.replace("%0D", "\r")
                .replace("%0A", "\n")
                .replace("%20", " ")
                .replace("%25", "%");
    }

    /** The list of a backup; empty if it was written before backups had one. */
    public static Optional<BackupFiles> read(Path backup) {
        Path file = backup.resolve(NAME);
        try {
            return Optional.of(parsed(file, Files.readString(file)));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (CharacterCodingException damage) {
            throw damaged(file);
        } catch (IOException failure) {
            throw new StoreException(
                    StoreError.IO, "Cannot read the list of a backup's files", Map.of("path", file), failure);
        }
    }

    private static BackupFiles parsed(Path file, String text) {
        int last = text.lastIndexOf("\nend ") + 1;
        String body = text.substring(0, last);
        if (!text.startsWith("polytable-backup-files ")) {
            throw damaged(file);
        }
        if (last == 0 || !text.equals(body + "end " + Checksum.of(body.getBytes(UTF_8)) + "\n")) {
            throw damaged(file);
        }
        List<String> lines = body.lines().toList();
        if (!lines.get(0).equals(HEADER)) {
            throw new StoreException(
                    StoreError.NEWER_FORMAT,
                    "The backup was written by a newer version of Polytable",
                    Map.of("path", file));
        }
        BackupFiles files = new BackupFiles();
        for (String line : lines.subList(1, lines.size())) {
            files.add(file, line.split(" ", -1));
        }
        return files;
    }

    private void add(Path file, String... escaped) {
        List<String> words = new ArrayList<>();
        for (String word : escaped) {
            words.add(plain(word));
        }
        switch (words.get(0)) {
            case "storage" -> base(words.get(1), Path.of(words.get(2)));
            case "file" -> add(new Entry(inside(file, words.get(3)), Long.parseLong(words.get(1)), words.get(2)));
            case "remote" ->
                add(new Remote(
                        words.get(5),
                        words.get(6),
                        Long.parseLong(words.get(1)),
                        optional(words.get(2)),
                        optional(words.get(3)),
                        optional(words.get(4))));
            default -> throw damaged(file);
        }
    }

    /** A list that someone made up must not write elsewhere than a restore may. */
    private static String inside(Path file, String name) {
        boolean isInside =
                !name.startsWith("/") && !List.of(name.split("/", -1)).contains("..");
        if (!isInside) {
            throw damaged(file);
        }
        return name;
    }

    private static Optional<String> optional(String word) {
        return word.equals(NONE) ? Optional.empty() : Optional.of(word);
    }

    private static StoreException damaged(Path file) {
        return new StoreException(StoreError.CORRUPT, "The list of a backup's files is damaged", Map.of("path", file));
    }
}
