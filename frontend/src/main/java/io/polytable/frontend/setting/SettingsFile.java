package io.polytable.frontend.setting;

import static io.polytable.frontend.setting.Spelling.didYouMean;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings file: a line is {@code key=value}, a comment ({@code #} or {@code !}) or empty. The value is literal,
 * without escapes, so that a backslash in a password or a path needs no special treatment.
 */
public final class SettingsFile {
    public static final String NAME = "polytable.properties";

    /** Some editors start a UTF-8 file with it. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private static final Pattern LINE = Pattern.compile("\\s*([^\\s=:]+)\\s*[=:]\\s*(.*)");

    private SettingsFile() {}

    static List<Given> read(SettingCatalog catalog, Path file) {
        List<Given> settings = new ArrayList<>();
        Map<Setting<?>, Integer> seen = new HashMap<>();
        List<String> lines = lines(file);
        for (int index = 0; index < lines.size(); index++) {
            String line = lines.get(index).strip();
            if (line.isEmpty() || line.startsWith("#") || line.startsWith("!")) {
                continue;
            }
            Given setting = setting(catalog, line, new Origin.File(file, index + 1));
            Integer earlier = seen.put(setting.setting(), index + 1);
            if (earlier != null) {
                throw new SettingException(setting.setting().name() + " is set twice in " + file + ": on lines "
                        + earlier + " and " + (index + 1));
            }
            settings.add(setting);
        }
        return settings;
    }

    /** Replaces the lines of the settings, appends those that the file has not, and keeps everything else. */
    static void rewrite(SettingCatalog catalog, Path file, List<Given> changed) {
        List<String> lines = Files.exists(file) ? new ArrayList<>(lines(file)) : new ArrayList<>();
        Map<Setting<?>, Integer> places = new HashMap<>();
        for (Given present : Files.exists(file) ? read(catalog, file) : List.<Given>of()) {
            if (present.origin() instanceof Origin.File place) {
                places.put(present.setting(), place.line() - 1);
            }
        }
        for (Given each : changed) {
            String line = line(catalog, each);
            Integer place = places.get(each.setting());
            if (place == null) {
                lines.add(line);
            } else {
                lines.set(place, line);
            }
        }
        replace(file, lines);
    }

    /** Values are written without escapes, so a value that would be read differently cannot be written. */
    private static String line(SettingCatalog catalog, Given given) {
        String line = given.setting().name() + "=" + given.text();
        boolean isLine = line.lines().count() == 1 && line.strip().equals(line);
        if (!isLine
                || !setting(catalog, line, new Origin.File(Path.of(NAME), 1))
                        .text()
                        .equals(given.text())) {
            throw new SettingException(
                    "the value of " + given.setting().name() + " cannot be written to a settings file");
        }
        return line;
    }

    /** Readers see the old file or the new one, also after a power failure. */
    private static void replace(Path file, List<String> lines) {
        Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent());
        Path fresh = directory.resolve(file.getFileName() + ".new");
        try {
            Files.deleteIfExists(fresh);
            // It may hold passwords.
            Files.createFile(
                    fresh,
                    PosixFilePermissions.asFileAttribute(
                            Files.exists(file)
                                    ? Files.getPosixFilePermissions(file)
                                    : PosixFilePermissions.fromString("rw-------")));
            try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                String text = String.join("\n", lines) + "\n";
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failure) {
            throw new SettingException("The settings file " + file + " cannot be written: " + failure);
        }
    }

    private static Given setting(SettingCatalog catalog, String line, Origin.File origin) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            // Only its first word: the rest may be a password.
            throw new SettingException(origin.describe() + " is not key=value: " + line.split("\\s", 2)[0]);
        }
        String name = matcher.group(1);
        Setting<?> key = catalog.byName(name)
                .orElseThrow(() -> new SettingException("There is no setting " + name + " (in " + origin.describe()
                        + ")" + didYouMean(catalog.nearestName(name))));
        return new Given(key, matcher.group(2).strip(), origin);
    }

    private static List<String> lines(Path file) {
        if (Files.isDirectory(file)) {
            throw new SettingException(
                    file + " is a directory; --config and POLYTABLE_CONFIG name a settings file, such as "
                            + file.resolve(NAME));
        }
        try {
            List<String> lines = new ArrayList<>(Files.readAllLines(file, StandardCharsets.UTF_8));
            if (!lines.isEmpty() && lines.get(0).startsWith(BYTE_ORDER_MARK)) {
                lines.set(0, lines.get(0).substring(BYTE_ORDER_MARK.length()));
            }
            return lines;
        } catch (CharacterCodingException malformed) {
            throw new SettingException("The settings file " + file + " is not UTF-8 text");
        } catch (NoSuchFileException missing) {
            throw new SettingException(
                    "There is no settings file " + file + "; correct --config or POLYTABLE_CONFIG, or create the file");
        } catch (AccessDeniedException denied) {
            throw new SettingException("The settings file " + file + " cannot be read: permission denied for "
                    + System.getProperty("user.name"));
        } catch (IOException failure) {
            throw new SettingException("The settings file " + file + " cannot be read: " + failure);
        }
    }
}
