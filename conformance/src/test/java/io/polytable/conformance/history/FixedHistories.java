package io.polytable.conformance.history;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/** The hand-written histories of {@code /histories/fixed}: a line each, words quoted as for redis-cli. */
public final class FixedHistories {
    private FixedHistories() {}

    /** The histories of a file, over connections that speak the given protocol. */
    public static List<History> read(String name, int protocol) {
        return lines(name).map(line -> history(line, protocol)).toList();
    }

    private static History history(String line, int protocol) {
        List<Step> steps = new ArrayList<>();
        if (protocol == 3) {
            steps.add(new Step.Call(0, List.of("HELLO", "3")));
        }
        for (String command : line.split(" ; ", -1)) {
            List<String> words = words(command);
            boolean scan = words.get(0).toUpperCase(Locale.ROOT).endsWith("SCAN");
            int cursorAt = words.get(0).equals("SCAN") ? 1 : 2;
            steps.add(scan && words.size() > cursorAt ? new Step.Walk(0, words, cursorAt) : new Step.Call(0, words));
        }
        return new History(0, steps);
    }

    static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        boolean begun = false;
        for (int i = 0; i < command.length(); i++) {
            char c = command.charAt(i);
            if (c == '"') {
                quoted = !quoted;
                begun = true;
            } else if (c == '\\' && quoted) {
                i += escape(command, i, word);
            } else if (c == ' ' && !quoted) {
                flush(words, word, begun);
                begun = false;
            } else {
                word.append(c);
                begun = true;
            }
        }
        flush(words, word, begun);
        return words;
    }

    private static void flush(List<String> words, StringBuilder word, boolean begun) {
        if (begun) {
            words.add(word.toString());
            word.setLength(0);
        }
    }

    /** Appends the character that an escape stands for; answers how many characters follow the backslash. */
    private static int escape(String command, int at, StringBuilder word) {
        char c = command.charAt(at + 1);
        switch (c) {
            case 'n' -> word.append('\n');
            case 'r' -> word.append('\r');
            case 'x' -> {
                word.append((char) Integer.parseInt(command.substring(at + 2, at + 4), 16));
                return 3;
            }
            default -> word.append(c);
        }
        return 1;
    }

    private static Stream<String> lines(String name) {
        String path = "/histories/fixed/" + name + ".txt";
        try (InputStream in = Objects.requireNonNull(FixedHistories.class.getResourceAsStream(path), path)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.lines().filter(line -> !line.isBlank() && !line.startsWith("#"));
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }
}
