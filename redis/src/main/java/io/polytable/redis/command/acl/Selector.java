package io.polytable.redis.command.acl;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.ChannelUse;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.Denial;
import io.polytable.redis.command.KeyFlag;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.model.Glob;
import io.polytable.table.Bytes;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A set of calls that are allowed: by command, by the keys they name, and by the channels they name. Immutable. A call is
 * checked in constant time where everything of a kind is allowed, otherwise against each pattern.
 *
 * @param everyCommand whether the bits need not be looked at
 * @param future whether commands are allowed that the server does not have yet, as after {@code +@all}
 * @param firstArguments by command that is not allowed as such: the first arguments with which it is, in lower case
 * @param commandRules the rules that led to the bits, after {@code +@all} or {@code -@all}
 */
record Selector(
        boolean everyCommand,
        boolean future,
        BitSet commands,
        Map<Integer, Set<String>> firstArguments,
        List<String> commandRules,
        boolean everyKey,
        List<KeyPattern> keys,
        boolean everyChannel,
        List<Channel> channels) {
    /** A pattern of channels. */
    record Channel(Bytes pattern, Glob glob) {
        Channel(Bytes pattern) {
            this(pattern, Glob.of(pattern));
        }

        /** A client's pattern must be the same; a channel's name must match. */
        boolean allows(Bytes name, boolean isPattern) {
            return isPattern ? pattern.equals(name) : glob.matches(name);
        }

        @Override
        public String toString() {
            return "&" + Words.text(pattern);
        }
    }

    boolean isUnrestricted() {
        return everyCommand && everyKey && everyChannel;
    }

    @Nullable
    Denial denial(Call call) {
        Command command = call.command();
        if (!allowsCommand(command, call)) {
            return Denial.COMMAND;
        }
        if (!everyKey && !command.keys().isEmpty()) {
            Denial denial = keyDenial(command.keys(), call);
            if (denial != null) {
                return denial;
            }
        }
        return everyChannel || command.channels() == ChannelUse.NONE ? null : channelDenial(command.channels(), call);
    }

    private boolean allowsCommand(Command command, Call call) {
        return everyCommand || command.noAuth() || commands.get(command.index()) || allowsFirstArgument(command, call);
    }

    private boolean allowsFirstArgument(Command command, Call call) {
        Set<String> allowed = firstArguments.get(command.index());
        return allowed != null
                && call.size() > 1
                && allowed.contains(call.text(1).toLowerCase(Locale.ROOT));
    }

    private @Nullable Denial keyDenial(KeySpecs specs, Call call) {
        int denied = specs.firstThat(call, (position, flags) -> !allowsKey(call.word(position), access(flags)));
        return denied == 0 ? null : new Denial(Denial.Kind.KEY, denied);
    }

    private static int access(Set<KeyFlag> flags) {
        int access = flags.contains(KeyFlag.ACCESS) ? KeyPattern.READ : 0;
        boolean writes =
                flags.contains(KeyFlag.UPDATE) || flags.contains(KeyFlag.INSERT) || flags.contains(KeyFlag.DELETE);
        return writes ? access | KeyPattern.WRITE : access;
    }

    private boolean allowsKey(Bytes key, int access) {
        // Without an iterator: this runs with every call of a restricted user.
        for (int i = 0; i < keys.size(); i++) {
            if (keys.get(i).allows(key, access)) {
                return true;
            }
        }
        return false;
    }

    /** Whether every key may be read. */
    boolean readsEveryKey() {
        return everyKey || keys.stream().anyMatch(each -> each.isEveryKey() && each.allows(KeyPattern.READ));
    }

    private @Nullable Denial channelDenial(ChannelUse use, Call call) {
        int last = use == ChannelUse.FIRST ? 1 : call.size() - 1;
        for (int i = 1; i <= last; i++) {
            if (!allowsChannel(call.word(i), use == ChannelUse.PATTERNS)) {
                return new Denial(Denial.Kind.CHANNEL, i);
            }
        }
        return null;
    }

    boolean allowsChannel(Bytes name, boolean isPattern) {
        return everyChannel || channels.stream().anyMatch(each -> each.allows(name, isPattern));
    }

    /** As rules: applied to an empty selector they lead to this one. */
    String text() {
        String channelText = everyChannel ? "&*" : ("resetchannels " + channelText()).strip();
        String keyText = keyText();
        return (keyText.isEmpty() ? "" : keyText + " ") + channelText + " " + commandText();
    }

    String commandText() {
        return String.join(" ", prepend(future ? "+@all" : "-@all", commandRules));
    }

    private static List<String> prepend(String first, List<String> others) {
        return Stream.concat(Stream.of(first), others.stream()).toList();
    }

    String keyText() {
        return everyKey ? "~*" : keys.stream().map(KeyPattern::toString).collect(Collectors.joining(" "));
    }

    String channelText() {
        return everyChannel ? "&*" : channels.stream().map(Channel::toString).collect(Collectors.joining(" "));
    }
}
