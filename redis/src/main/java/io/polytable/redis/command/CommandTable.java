package io.polytable.redis.command;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All commands of a server, found by name. */
public final class CommandTable {
    private final List<Command> commands;
    private final NameTable names;
    private final @Nullable NameTable[] subcommands;

    private CommandTable(List<Command> commands, int places) {
        this.commands = List.copyOf(commands);
        this.names = new NameTable(commands);
        this.subcommands = new NameTable[places];
        for (Command command : commands) {
            if (!command.subcommands().isEmpty()) {
                subcommands[command.index()] = new NameTable(command.subcommands());
            }
        }
    }

    public static CommandTable of(List<? extends CommandFamily> families) {
        Command.Counter places = new Command.Counter();
        List<Command> all = new ArrayList<>();
        for (CommandFamily family : families) {
            for (Command command : family.commands()) {
                all.add(command.placed("", family.group(), places));
            }
        }
        return new CommandTable(all, places.count());
    }

    /** Top-level commands, in the order of their declaration. */
    public List<Command> commands() {
        return commands;
    }

    /** The number of commands and subcommands: the bound of {@link Command#index()}. */
    public int places() {
        return subcommands.length;
    }

    public @Nullable Command find(Bytes name) {
        return names.find(name);
    }

    public @Nullable Command findSubcommand(Command container, Bytes name) {
        NameTable table = subcommands[container.index()];
        return table == null ? null : table.find(name);
    }

    /** By full name: {@code get}, or {@code client|id}. */
    public @Nullable Command findFull(Bytes name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.at(i) == '|') {
                Command container = find(name.slice(0, i));
                return container == null ? null : findSubcommand(container, name.from(i + 1));
            }
        }
        return find(name);
    }
}
