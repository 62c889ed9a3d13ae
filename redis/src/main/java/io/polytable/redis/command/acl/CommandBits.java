package io.polytable.redis.command.acl;

import io.polytable.redis.command.Category;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandTable;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;

/** The sets of commands that rules name, as bits by {@link Command#index()}. */
final class CommandBits {
    private final CommandTable table;
    private final Map<Category, BitSet> categories = new EnumMap<>(Category.class);

    CommandBits(CommandTable table) {
        this.table = table;
        for (Category category : Category.values()) {
            BitSet bits = new BitSet(table.places());
            table.commands().forEach(command -> addIn(category, command, bits));
            categories.put(category, bits);
        }
    }

    private static void addIn(Category category, Command command, BitSet bits) {
        if (command.categories().contains(category)) {
            bits.or(of(command));
        }
        command.subcommands().forEach(each -> addIn(category, each, bits));
    }

    CommandTable table() {
        return table;
    }

    /** All commands and subcommands. */
    BitSet all() {
        BitSet bits = new BitSet(table.places());
        bits.set(0, table.places());
        return bits;
    }

    /** The commands of the category, with all subcommands of each. Not to be changed. */
    BitSet of(Category category) {
        return categories.getOrDefault(category, new BitSet());
    }

    /** The command with all its subcommands. */
    static BitSet of(Command command) {
        BitSet bits = new BitSet();
        bits.set(command.index());
        command.subcommands().forEach(each -> bits.set(each.index()));
        return bits;
    }
}
