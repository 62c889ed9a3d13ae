package io.polytable.redis.command.help;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A text resource. Lines that begin with # are comments. */
public final class TextFile {
    private static final String HEAD = "== ";

    private TextFile() {}

    /**
     * Its lines, without comments and empty lines.
     *
     * @param name absolute, or relative to this class
     */
    public static List<String> lines(String name) {
        try (InputStream in = TextFile.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("missing from the jar: " + name);
            }
            return new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** The lines by section. */
    static Map<String, List<String>> sections(String name) {
        Map<String, List<String>> sections = new HashMap<>();
        List<String> section = new ArrayList<>();
        for (String line : lines(name)) {
            if (line.startsWith(HEAD)) {
                section = new ArrayList<>();
                sections.put(line.substring(HEAD.length()), section);
            } else {
                section.add(line);
            }
        }
        return sections;
    }
}
