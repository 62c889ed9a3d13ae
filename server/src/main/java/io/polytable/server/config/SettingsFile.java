package io.polytable.server.config;

import static io.polytable.server.config.Spelling.didYouMean;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (CharacterCodingException malformed) {
            throw new ConfigurationException("The settings file " + file + " is not UTF-8 text");
        } catch (IOException failure) {
            throw new ConfigurationException("The settings file " + file + " cannot be read: " + failure);
        }
    }
}
