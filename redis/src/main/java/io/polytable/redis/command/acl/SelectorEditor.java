package io.polytable.redis.command.acl;

import io.polytable.redis.command.Category;
import io.polytable.redis.command.Command;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Applies rules about commands, keys and channels to a selector. Used once, by one thread. */
final class SelectorEditor {
    private final CommandBits bits;
    private boolean everyCommand;
    private boolean future;
    private BitSet commands = new BitSet();
    private final Map<Integer, Set<String>> firstArguments = new HashMap<>();
    private final List<String> commandRules = new ArrayList<>();
    private boolean everyKey;
    private final List<KeyPattern> keys = new ArrayList<>();
    private boolean everyChannel;
    private final List<Selector.Channel> channels = new ArrayList<>();

    /** Starts with a selector that allows nothing, except every channel if that is the default. */
    SelectorEditor(CommandBits bits, boolean everyChannel) {
        this.bits = bits;
        this.everyChannel = everyChannel;
    }

    SelectorEditor(CommandBits bits, Selector from) {
        this.bits = bits;
        everyCommand = from.everyCommand();
        future = from.future();
        commands = (BitSet) from.commands().clone();
        from.firstArguments().forEach((index, words) -> firstArguments.put(index, new HashSet<>(words)));
        commandRules.addAll(from.commandRules());
        everyKey = from.everyKey();
        keys.addAll(from.keys());
        everyChannel = from.everyChannel();
        channels.addAll(from.channels());
    }

    Selector selector() {
        Map<Integer, Set<String>> arguments = new HashMap<>();
        firstArguments.forEach((index, words) -> arguments.put(index, Set.copyOf(words)));
        return new Selector(
                everyCommand,
                future,
                (BitSet) commands.clone(),
                Map.copyOf(arguments),
                List.copyOf(commandRules),
                everyKey,
                List.copyOf(keys),
                everyChannel,
                List.copyOf(channels));
    }

    /** @throws RuleError when this is no rule about commands, keys or channels, or has no effect */
    void apply(String rule) {
        switch (rule.toLowerCase(Locale.ROOT)) {
            case "allkeys", "~*" -> setKeys(true);
            case "resetkeys" -> setKeys(false);
            case "allchannels", "&*" -> setChannels(true);
            case "resetchannels" -> setChannels(false);
            case "allcommands", "+@all" -> setCommands(true);
            case "nocommands", "-@all" -> setCommands(false);
            default -> applyNamed(rule);
        }
    }

    private void setKeys(boolean every) {
        everyKey = every;
        keys.clear();
    }

    private void setChannels(boolean every) {
        everyChannel = every;
        channels.clear();
    }

    private void setCommands(boolean every) {
        everyCommand = every;
        future = every;
        commands = every ? bits.all() : new BitSet();
        commandRules.clear();
        firstArguments.clear();
    }

    private void applyNamed(String rule) {
        boolean category = rule.length() > 1 && rule.charAt(1) == '@';
        switch (rule.isEmpty() ? ' ' : rule.charAt(0)) {
            case '~', '%' -> addKeys(rule);
            case '&' -> addChannel(rule);
            case '+', '-' -> {
                boolean allow = rule.charAt(0) == '+';
                if (category) {
                    applyCategory(rule, allow);
                } else if (allow && rule.indexOf('|') >= 0) {
                    allowPart(rule);
                } else {
                    applyCommand(rule, allow);
                }
            }
            default -> throw new RuleError(rule, RuleError.SYNTAX);
        }
    }

    private void addKeys(String rule) {
        if (everyKey) {
            throw new RuleError(rule, RuleError.AFTER_EVERY_KEY);
        }
        int access = rule.charAt(0) == '~' ? KeyPattern.BOTH : 0;
        int at = 1;
        if (rule.charAt(0) == '%') {
            for (; at < rule.length() && rule.charAt(at) != '~'; at++) {
                int more = accessOf(rule.charAt(at));
                if (more == 0 || (access & more) != 0) {
                    throw new RuleError(rule, RuleError.SYNTAX);
                }
                access |= more;
            }
            at = Math.min(at + 1, rule.length());
        }
        String pattern = rule.substring(at);
        if (access == 0 || Words.hasSpaces(pattern)) {
            throw new RuleError(rule, RuleError.SYNTAX);
        }
        addKeys(Words.bytes(pattern), access);
    }

    private static int accessOf(char letter) {
        return switch (letter) {
            case 'R', 'r' -> KeyPattern.READ;
            case 'W', 'w' -> KeyPattern.WRITE;
            default -> 0;
        };
    }

    private void addKeys(Bytes pattern, int access) {
        for (int i = 0; i < keys.size(); i++) {
            if (keys.get(i).pattern().equals(pattern)) {
                keys.set(i, keys.get(i).with(access));
                return;
            }
        }
        keys.add(new KeyPattern(pattern, access));
    }

    private void addChannel(String rule) {
        if (everyChannel) {
            throw new RuleError(rule, RuleError.AFTER_EVERY_CHANNEL);
        }
        String pattern = rule.substring(1);
        if (Words.hasSpaces(pattern)) {
            throw new RuleError(rule, RuleError.SYNTAX);
        }
        Bytes bytes = Words.bytes(pattern);
        if (channels.stream().noneMatch(each -> each.pattern().equals(bytes))) {
            channels.add(new Selector.Channel(bytes));
        }
    }

    private void applyCategory(String rule, boolean allow) {
        Category category = Category.named(Words.bytes(rule.substring(2)));
        if (category == null) {
            throw new RuleError(rule, RuleError.UNKNOWN_NAME);
        }
        note(rule.substring(1), allow);
        set(bits.of(category), allow);
    }

    private void applyCommand(String rule, boolean allow) {
        Command command = find(rule, rule.substring(1));
        set(CommandBits.of(command), allow);
        note(command.fullName(), allow);
    }

    /** A subcommand; or, for a command without any, its first argument. */
    private void allowPart(String rule) {
        int last = rule.lastIndexOf('|');
        Command whole = find(rule, rule.substring(1, last));
        if (whole.fullName().indexOf('|') >= 0) {
            throw new RuleError(rule, RuleError.FIRST_ARGUMENT_OF_SUBCOMMAND);
        }
        String part = rule.substring(last + 1);
        if (part.isEmpty()) {
            throw new RuleError(rule, RuleError.SYNTAX);
        }
        if (whole.isContainer()) {
            set(CommandBits.of(find(rule, rule.substring(1))), true);
        } else {
            firstArguments
                    .computeIfAbsent(whole.index(), index -> new HashSet<>())
                    .add(part.toLowerCase(Locale.ROOT));
        }
        note(rule.substring(1), true);
    }

    private Command find(String rule, String name) {
        Command command = bits.table().findFull(Words.bytes(name));
        if (command == null) {
            throw new RuleError(rule, RuleError.UNKNOWN_NAME);
        }
        return command;
    }

    private void set(BitSet which, boolean allow) {
        if (allow) {
            commands.or(which);
        } else {
            commands.andNot(which);
            everyCommand = false;
        }
        firstArguments.keySet().removeIf(which::get);
    }

    /** Replaces earlier rules about the same command or category, or parts of it. */
    private void note(String name, boolean allow) {
        String lower = name.toLowerCase(Locale.ROOT);
        commandRules.removeIf(rule -> {
            String known = rule.substring(1);
            return known.equals(lower) || known.startsWith(lower + "|");
        });
        commandRules.add((allow ? "+" : "-") + lower);
    }
}
