package io.polytable.redis.command.help;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The replies to HELP, from a text resource by container. */
public final class HelpText {
    private static final String FILE = "help.txt";
    private static final Map<String, List<String>> SECTIONS = TextFile.sections(FILE);

    private HelpText() {}

    /** The help of the declared subcommands. */
    public static Reply of(Call call) {
        String name = call.text(0).toLowerCase(Locale.ROOT);
        Command container = call.table().find(call.word(0));
        List<String> lines = new ArrayList<>();
        boolean told = true;
        for (String line : SECTIONS.getOrDefault(name, List.of())) {
            if (!line.startsWith(" ")) {
                told = container != null && isDeclared(container, line);
            }
            if (told) {
                lines.add(line);
            }
        }
        return of(call, lines);
    }

    /**
     * Whether the line describes a declared subcommand or the container itself, whose lines begin with a parenthesis.
     */
    private static boolean isDeclared(Command container, String line) {
        String first = line.split(" ", 2)[0].toLowerCase(Locale.ROOT);
        return first.startsWith("(")
                || container.subcommands().stream().anyMatch(sub -> sub.name().equals(first));
    }

    /** The lines between the usual header and footer. */
    public static Reply of(Call call, List<String> lines) {
        List<Reply> all = new ArrayList<>();
        String name = call.text(0).toUpperCase(Locale.ROOT);
        all.add(Reply.simple(name + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:"));
        for (String line : lines) {
            all.add(Reply.simple(line));
        }
        all.add(Reply.simple("HELP"));
        all.add(Reply.simple("    Print this help."));
        return Reply.many(all);
    }
}
