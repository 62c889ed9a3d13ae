package io.polytable.redis.command.introspection;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.STALE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Category;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeyFlag;
import io.polytable.redis.command.KeyPositions;
import io.polytable.redis.command.KeySpec;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.help.CommandDocs;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.model.Glob;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** COMMAND and its subcommands: reports the declarations. */
public final class CommandCommands implements CommandFamily {
    private static final String ANY_ORDER = "nondeterministic_output_order";

    private final CommandDocs docs = CommandDocs.load();

    @Override
    public Group group() {
        return Group.SERVER;
    }

    @Override
    public List<Command> commands() {
        return List.of(container(
                        "command",
                        List.of(
                                speaks("count", exactly(2), this::count)
                                        .with(LOADING, STALE)
                                        .in(Category.CONNECTION),
                                speaks("docs", atLeast(2), this::docs)
                                        .with(LOADING, STALE)
                                        .in(Category.CONNECTION)
                                        .tips(ANY_ORDER),
                                speaks("getkeys", atLeast(3), call -> keys(call, false))
                                        .with(LOADING, STALE)
                                        .in(Category.CONNECTION),
                                speaks("getkeysandflags", atLeast(3), call -> keys(call, true))
                                        .with(LOADING, STALE)
                                        .in(Category.CONNECTION),
                                speaks("help", exactly(2), this::help)
                                        .with(LOADING, STALE)
                                        .in(Category.CONNECTION),
                                speaks("info", atLeast(2), this::info)
                                        .with(LOADING, STALE)
                                        .in(Category.CONNECTION)
                                        .tips(ANY_ORDER),
                                speaks("list", atLeast(2), this::list)
                                        .with(LOADING, STALE)
                                        .in(Category.CONNECTION)
                                        .tips(ANY_ORDER)))
                .alone(atLeast(1), this::everything)
                .with(LOADING, STALE)
                .in(Category.CONNECTION)
                .tips(ANY_ORDER));
    }

    private Reply everything(Call call) {
        return Reply.many(call.table().commands().stream().map(CommandReply::of).toList());
    }

    private Reply count(Call call) {
        return Reply.of(call.table().commands().size());
    }

    private Reply info(Call call) {
        if (call.size() == 2) {
            return everything(call);
        }
        List<Reply> all = new ArrayList<>();
        // Reuses the reply of a command that is named again: each short name would otherwise cost kilobytes.
        Map<Command, Reply> made = new HashMap<>();
        for (Bytes name : call.wordsFrom(2)) {
            Command command = call.table().findFull(name);
            all.add(command == null ? Reply.ABSENT : made.computeIfAbsent(command, CommandReply::of));
        }
        return Reply.many(all);
    }

    private Reply docs(Call call) {
        List<Reply> all = new ArrayList<>();
        if (call.size() == 2) {
            call.table().commands().forEach(command -> docs.add(command, all));
        }
        Map<Command, List<Reply>> made = new HashMap<>();
        for (Bytes name : call.wordsFrom(2)) {
            Command command = call.table().findFull(name);
            if (command != null) {
                all.addAll(made.computeIfAbsent(command, this::page));
            }
        }
        return Reply.mapOf(all);
    }

    private List<Reply> page(Command command) {
        List<Reply> page = new ArrayList<>();
        docs.add(command, page);
        return page;
    }

    private Reply list(Call call) {
        Predicate<Command> wanted = filter(call);
        List<Reply> names = new ArrayList<>();
        addNames(call.table().commands(), wanted, names);
        return Reply.many(names);
    }

    private static Predicate<Command> filter(Call call) {
        if (call.size() == 2) {
            return command -> true;
        }
        if (call.size() != 5 || !call.is(2, "FILTERBY")) {
            throw RedisError.SYNTAX;
        }
        if (call.is(3, "MODULE")) {
            return command -> false;
        }
        if (call.is(3, "ACLCAT")) {
            Category category = Category.named(call.word(4));
            return command -> category != null && command.categories().contains(category);
        }
        if (call.is(3, "PATTERN")) {
            Glob glob = Glob.ignoringCase(call.word(4));
            return command -> glob.matches(Bytes.utf8(command.fullName()));
        }
        throw RedisError.SYNTAX;
    }

    private static void addNames(List<Command> commands, Predicate<Command> wanted, List<Reply> names) {
        for (Command command : commands) {
            if (wanted.test(command)) {
                names.add(Reply.of(command.fullName()));
            }
            addNames(command.subcommands(), wanted, names);
        }
    }

    private Reply keys(Call call, boolean withFlags) {
        Call inner = call.tail(2);
        Command command = find(inner);
        if (command == null) {
            throw new RedisError("Invalid command specified");
        }
        if (!namesKeys(command)) {
            throw new RedisError("The command has no key arguments");
        }
        if (!command.arity().allows(inner.size())) {
            throw new RedisError("Invalid number of arguments specified for command");
        }
        inner.command(command);
        List<Reply> found = new ArrayList<>();
        if (command.keys().hasFinder()) {
            addFound(inner, withFlags, found);
        } else {
            addBySpecs(inner, withFlags, found);
        }
        if (found.isEmpty() && !command.has(Flag.NO_MANDATORY_KEYS)) {
            throw new RedisError("Invalid arguments specified for command");
        }
        return Reply.many(found);
    }

    /** Shard channels are declared like keys, but are none. */
    private static boolean namesKeys(Command command) {
        KeySpecs keys = command.keys();
        return keys.hasFinder()
                || keys.specs().stream().anyMatch(spec -> !spec.flags().contains(KeyFlag.NOT_KEY));
    }

    private static void addBySpecs(Call call, boolean withFlags, List<Reply> found) {
        KeySpecs keys = call.command().keys();
        for (KeySpec spec : keys.specs()) {
            KeyPositions positions = KeySpecs.find(call, spec);
            if (positions.size() == 0 && spec.find() instanceof KeySpec.Find.Counted) {
                // Redis reports no key at all when the number of keys is invalid.
                found.clear();
                return;
            }
            // Shared by all keys: there can be hundreds of thousands.
            Reply flags = CommandReply.keyFlags(keys.flags(call, spec));
            for (int i = 0; i < positions.size(); i++) {
                found.add(key(call, positions.at(i), withFlags, flags));
            }
        }
    }

    /** The first specification describes the first key, the last one all others. */
    private static void addFound(Call call, boolean withFlags, List<Reply> found) {
        List<KeySpec> specs = call.command().keys().specs();
        KeyPositions positions = call.keyPositions();
        Reply first = complete(specs.get(0));
        Reply others = complete(specs.get(specs.size() - 1));
        for (int i = 0; i < positions.size(); i++) {
            found.add(key(call, positions.at(i), withFlags, i == 0 ? first : others));
        }
    }

    private static Reply complete(KeySpec spec) {
        Set<KeyFlag> flags = EnumSet.copyOf(spec.flags());
        flags.remove(KeyFlag.INCOMPLETE);
        return CommandReply.keyFlags(flags);
    }

    private static Reply key(Call call, int position, boolean withFlags, Reply flags) {
        Reply key = Reply.of(call.word(position));
        return withFlags ? Reply.many(key, flags) : key;
    }

    private static @Nullable Command find(Call call) {
        Command command = call.table().find(call.word(0));
        if (command == null || !command.isContainer() || call.size() == 1) {
            return command;
        }
        return call.table().findSubcommand(command, call.word(1));
    }

    private Reply help(Call call) {
        return HelpText.of(call);
    }
}
