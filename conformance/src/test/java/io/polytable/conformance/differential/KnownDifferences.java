package io.polytable.conformance.differential;

import io.polytable.conformance.resp.Answer;
import io.polytable.conformance.resp.RespText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The file {@code redis-7.2-differences.txt}: known differences between 7.2 and 7.0.15, in which 7.2 is right. An entry
 * applies to commands whose line matches; if the reference replied as the entry says, the other side must reply as 7.2.
 */
public final class KnownDifferences {
    private static final Set<String> FIELDS = Set.of("command", "7.0.15", "7.2", "why", "certain");

    private final List<Entry> entries;

    private KnownDifferences(List<Entry> entries) {
        this.entries = entries;
    }

    private record Entry(Pattern command, Pattern reference, Pattern subject) {}

    public static KnownDifferences load() {
        return parse(text());
    }

    static KnownDifferences parse(String text) {
        List<Entry> entries = new ArrayList<>();
        for (String block : text.split("\n\\s*\n", -1)) {
            Map<String, String> fields = new HashMap<>();
            block.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(line -> {
                        String[] parts = line.split("=", 2);
                        fields.put(parts[0].strip(), parts[1].strip());
                    });
            if (!fields.isEmpty()) {
                entries.add(entry(fields));
            }
        }
        return new KnownDifferences(List.copyOf(entries));
    }

    private static Entry entry(Map<String, String> fields) {
        if (!fields.keySet().equals(FIELDS)) {
            throw new IllegalArgumentException("An entry has the fields " + FIELDS + ", not " + fields);
        }
        return new Entry(pattern(fields, "command"), pattern(fields, "7.0.15"), pattern(fields, "7.2"));
    }

    private static Pattern pattern(Map<String, String> fields, String name) {
        return Pattern.compile(Objects.requireNonNull(fields.get(name)), Pattern.CASE_INSENSITIVE);
    }

    /** Empty if no entry applies; otherwise whether the reply is 7.2's. */
    public Optional<Boolean> verdict(List<String> words, Answer reference, Answer subject) {
        return verdict(RespText.of(words), reference.toString(), subject.toString());
    }

    /** The same for anything that can be said on a line. */
    public Optional<Boolean> verdict(String command, String reference, String subject) {
        Optional<Boolean> verdict = Optional.empty();
        for (Entry entry : entries) {
            if (entry.command.matcher(command).matches()
                    && entry.reference.matcher(reference).matches()) {
                if (entry.subject.matcher(subject).matches()) {
                    return Optional.of(true);
                }
                verdict = Optional.of(false);
            }
        }
        return verdict;
    }

    private static String text() {
        String path = "/redis-7.2-differences.txt";
        try (InputStream in = Objects.requireNonNull(KnownDifferences.class.getResourceAsStream(path), path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }
}
