package io.polytable.redis.command.help;

import io.polytable.redis.command.Command;
import io.polytable.redis.command.Reply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The part of COMMAND DOCS that is not declared: version, complexity and summary, from a text resource with a line for
 * each command, so that declarations stay one line.
 */
public final class CommandDocs {
    private static final String FILE = "command-docs.txt";

    private final Map<String, Page> pages;

    private record Page(String since, String complexity, String summary) {}

    private CommandDocs(Map<String, Page> pages) {
        this.pages = Map.copyOf(pages);
    }

    public static CommandDocs load() {
        Map<String, Page> pages = new HashMap<>();
        TextFile.lines(FILE).forEach(line -> {
            String[] parts = line.split(" ; ", -1);
            if (parts.length != 4 || pages.put(parts[0], new Page(parts[1], parts[2], parts[3])) != null) {
                throw new IllegalStateException("bad line in " + FILE + ": " + line);
            }
        });
        return new CommandDocs(pages);
    }

    boolean knows(Command command) {
        return pages.containsKey(command.fullName());
    }

    /** Adds the command's name and its documentation. */
    public void add(Command command, List<Reply> all) {
        all.add(Reply.of(command.fullName()));
        all.add(Reply.mapOf(page(command)));
    }

    private List<Reply> page(Command command) {
        List<Reply> parts = new ArrayList<>();
        Page page = pages.get(command.fullName());
        if (page != null) {
            add(parts, "summary", page.summary);
            add(parts, "since", page.since);
        }
        add(parts, "group", command.group().text());
        if (page != null) {
            add(parts, "complexity", page.complexity);
        }
        CommandArguments.add(command, parts);
        if (command.isContainer()) {
            List<Reply> subcommands = new ArrayList<>();
            command.subcommands().forEach(sub -> add(sub, subcommands));
            parts.add(Reply.of("subcommands"));
            parts.add(Reply.mapOf(subcommands));
        }
        return parts;
    }

    private static void add(List<Reply> parts, String name, String value) {
        parts.add(Reply.of(name));
        parts.add(Reply.of(value));
    }
}
