package io.polytable.redis.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a container answers to HELP. */
final class HelpText {
    private HelpText() {}

    /** The lines stand between the usual head and foot. */
    static Reply of(Call call, String... lines) {
        List<Reply> all = new ArrayList<>();
        String name = call.text(0).toUpperCase(Locale.ROOT);
        all.add(Reply.simple(name + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:"));
        for (String line : lines) {
            all.add(Reply.simple(line));
        }
        all.add(Reply.simple("HELP"));
        all.add(Reply.simple("    Prints this help."));
        return Reply.many(all);
    }
}
