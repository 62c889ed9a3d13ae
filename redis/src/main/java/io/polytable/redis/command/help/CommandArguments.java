package io.polytable.redis.command.help;

import io.polytable.redis.command.Command;
import io.polytable.redis.command.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The arguments and history of a command in COMMAND DOCS, from a text resource whose header explains its format. */
final class CommandArguments {
    private static final String FILE = "command-arguments.txt";
    private static final Map<String, List<String>> SECTIONS = TextFile.sections(FILE);
    private static final String VERSION = "! ";
    private static final String DEPRECATED = "deprecated ";

    private final List<String> lines;
    private int at;

    private CommandArguments(List<String> lines) {
        this.lines = lines;
    }

    /** Adds the sections that exist, in Redis' order. */
    static void add(Command command, List<Reply> page) {
        List<String> lines = SECTIONS.getOrDefault(command.fullName(), List.of());
        lines.stream().filter(line -> line.startsWith(DEPRECATED)).forEach(line -> addDeprecation(line, page));
        List<Reply> history = lines.stream()
                .filter(line -> line.startsWith(VERSION))
                .map(CommandArguments::version)
                .toList();
        if (!history.isEmpty()) {
            page.add(Reply.of("history"));
            page.add(new Reply.SetOf(history));
        }
        List<String> arguments = lines.stream()
                .filter(line -> !line.startsWith(VERSION) && !line.startsWith(DEPRECATED))
                .toList();
        if (!arguments.isEmpty()) {
            page.add(Reply.of("arguments"));
            page.add(new CommandArguments(arguments).at(0));
        }
    }

    private static void addDeprecation(String line, List<Reply> page) {
        String[] words = line.split(" ", 3);
        page.add(Reply.of("doc_flags"));
        page.add(new Reply.SetOf(List.of(Reply.simple("deprecated"))));
        page.add(Reply.of("deprecated_since"));
        page.add(Reply.of(words[1]));
        page.add(Reply.of("replaced_by"));
        page.add(Reply.of(words[2]));
    }

    private static Reply version(String line) {
        String[] words = line.split(" ", 3);
        return Reply.many(Reply.of(words[1]), Reply.of(words[2]));
    }

    /** Parses the arguments at this indentation, with their nested ones. */
    private Reply at(int depth) {
        List<Reply> arguments = new ArrayList<>();
        while (at < lines.size() && depth(lines.get(at)) == depth) {
            arguments.add(argument(depth));
        }
        return Reply.many(arguments);
    }

    private static int depth(String line) {
        return (line.length() - line.stripLeading().length()) / 2;
    }

    private Reply argument(int depth) {
        String[] words = lines.get(at++).strip().split(" ", -1);
        boolean holdsOthers = at < lines.size() && depth(lines.get(at)) > depth;
        List<Reply> parts = new ArrayList<>();
        part(parts, "name", Reply.of(words[0]));
        part(parts, "type", Reply.of(words[1]));
        if (!holdsOthers) {
            part(parts, "display_text", Reply.of(words[0]));
        }
        List<Reply> flags = new ArrayList<>();
        for (int i = 2; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 0) {
                flags.add(Reply.simple(words[i]));
            } else {
                String value = words[i].substring(equals + 1);
                attribute(parts, words[i].substring(0, equals), value.equals("\"\"") ? "" : value);
            }
        }
        if (!flags.isEmpty()) {
            part(parts, "flags", new Reply.SetOf(flags));
        }
        if (holdsOthers) {
            part(parts, "arguments", at(depth + 1));
        }
        return Reply.mapOf(parts);
    }

    private static void attribute(List<Reply> parts, String name, String value) {
        if (name.equals("key")) {
            part(parts, "key_spec_index", Reply.of(Long.parseLong(value)));
        } else {
            part(parts, name, Reply.of(value));
        }
    }

    private static void part(List<Reply> parts, String name, Reply value) {
        parts.add(Reply.of(name));
        parts.add(value);
    }
}
