package io.polytable.server.config;

import static io.polytable.server.config.Spelling.didYouMean;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings file: a line is {@code key=value}, a comment ({@code #} or {@code !}) or empty. The value is literal,
 * without escapes, so that a backslash in a password or a path needs no special treatment.
 */
final class SettingsFile {
    static final String NAME = "polytable.properties";

    /** Some editors start a UTF-8 file with it. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private static final Pattern LINE = Pattern.compile("\\s*([^\\s=:]+)\\s*[=:]\\s*(.*)");

    private SettingsFile() {}

    static List<Setting> read(Path file) {
        List<Setting> settings = new ArrayList<>();
        Map<Key<?>, Integer> seen = new HashMap<>();
        List<String> lines = lines(file);
        for (int index = 0; index < lines.size(); index++) {
            String line = lines.get(index).strip();
            if (line.isEmpty() || line.startsWith("#") || line.startsWith("!")) {
                continue;
            }
            Setting setting = setting(line, new Origin.File(file, index + 1));
            Integer earlier = seen.put(setting.key(), index + 1);
            if (earlier != null) {
                throw new ConfigurationException(setting.key().name() + " is set twice in " + file + ": on lines "
                        + earlier + " and " + (index + 1));
            }
            settings.add(setting);
        }
        return settings;
    }

    private static Setting setting(String line, Origin.File origin) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            // Only its first word: the rest may be a password.
            throw new ConfigurationException(origin.describe() + " is not key=value: " + line.split("\\s", 2)[0]);
        }
        String name = matcher.group(1);
        Key<?> key = Catalogue.byName(name)
                .orElseThrow(() -> new ConfigurationException("There is no setting " + name + " (in "
                        + origin.describe() + ")" + didYouMean(Catalogue.nearestName(name))));
        return new Setting(key, matcher.group(2).strip(), origin);
    }

    private static List<String> lines(Path file) {
        if (Files.isDirectory(file)) {
            throw new ConfigurationException(
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
            throw new ConfigurationException("The settings file " + file + " is not UTF-8 text");
        } catch (NoSuchFileException missing) {
            throw new ConfigurationException(
                    "There is no settings file " + file + "; correct --config or POLYTABLE_CONFIG, or create the file");
        } catch (AccessDeniedException denied) {
            throw new ConfigurationException("The settings file " + file + " cannot be read: permission denied for "
                    + System.getProperty("user.name"));
        } catch (IOException failure) {
            throw new ConfigurationException("The settings file " + file + " cannot be read: " + failure);
        }
    }
}
