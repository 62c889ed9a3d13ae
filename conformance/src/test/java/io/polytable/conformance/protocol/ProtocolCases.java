package io.polytable.conformance.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The requests of {@code /protocol/*.txt}, one a line; the file's head says how bytes are written. */
final class ProtocolCases {
    private static final Pattern SPECIAL = Pattern.compile("\\\\x([0-9a-f]{2})|\\\\(.)|(.)\\{(\\d+)}");

    private ProtocolCases() {}

    static List<String> read(String name) {
        String path = "/protocol/" + name + ".txt";
        try (InputStream in = Objects.requireNonNull(ProtocolCases.class.getResourceAsStream(path), path)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(ProtocolCases::bytes)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }

    static String bytes(String line) {
        return SPECIAL.matcher(line).replaceAll(found -> Matcher.quoteReplacement(meaning(found)));
    }

    private static String meaning(MatchResult found) {
        if (found.group(1) != null) {
            return String.valueOf((char) Integer.parseInt(found.group(1), 16));
        }
        if (found.group(3) != null) {
            return found.group(3).repeat(Integer.parseInt(found.group(4)));
        }
        return switch (found.group(2)) {
            case "r" -> "\r";
            case "n" -> "\n";
            case "e" -> "";
            default -> found.group(2);
        };
    }
}
