package io.polytable.redis.command.introspection;

import io.polytable.redis.command.Command;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.KeyFlag;
import io.polytable.redis.command.KeySpec;
import io.polytable.redis.command.KeySpec.Begin;
import io.polytable.redis.command.KeySpec.Find;
import io.polytable.redis.command.LegacyRange;
import io.polytable.redis.command.Reply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Formats a command's entry in the reply of COMMAND. */
final class CommandReply {
    private CommandReply() {}

    static Reply of(Command command) {
        LegacyRange range = command.keys().legacyRange();
        return Reply.many(
                Reply.of(command.fullName()),
                Reply.of(command.arity().code()),
                flags(command),
                Reply.of(range.first()),
                Reply.of(range.last()),
                Reply.of(range.step()),
                categories(command),
                new Reply.SetOf(command.tips().stream().map(Reply::of).toList()),
                new Reply.SetOf(
                        command.keys().specs().stream().map(CommandReply::rule).toList()),
                new Reply.SetOf(
                        command.subcommands().stream().map(CommandReply::of).toList()));
    }

    private static Reply flags(Command command) {
        Set<Flag> ordered = EnumSet.noneOf(Flag.class);
        ordered.addAll(command.flags());
        // Redis 7.0 obeys this flag without reporting it.
        ordered.remove(Flag.MAY_REPLICATE);
        return words(ordered.stream().map(Flag::text).toList());
    }

    private static Reply categories(Command command) {
        return words(command.categories().stream()
                .map(category -> "@" + category.text())
                .toList());
    }

    static Reply keyFlags(Set<KeyFlag> flags) {
        Set<KeyFlag> ordered = EnumSet.noneOf(KeyFlag.class);
        ordered.addAll(flags);
        return words(ordered.stream().map(KeyFlag::text).toList());
    }

    private static Reply words(Collection<String> words) {
        return new Reply.SetOf(words.stream().map(Reply::simple).toList());
    }

    private static Reply rule(KeySpec spec) {
        List<Reply> parts = new ArrayList<>();
        String notes = spec.notes();
        if (notes != null) {
            parts.add(Reply.of("notes"));
            parts.add(Reply.of(notes));
        }
        parts.add(Reply.of("flags"));
        parts.add(keyFlags(spec.flags()));
        parts.add(Reply.of("begin_search"));
        parts.add(begin(spec.begin()));
        parts.add(Reply.of("find_keys"));
        parts.add(find(spec.find()));
        return Reply.mapOf(parts);
    }

    private static Reply begin(Begin begin) {
        if (begin instanceof Begin.Index index) {
            return typed("index", Reply.of("index"), Reply.of(index.index()));
        }
        if (begin instanceof Begin.Keyword keyword) {
            return typed(
                    "keyword",
                    Reply.of("keyword"),
                    Reply.of(keyword.keyword()),
                    Reply.of("startfrom"),
                    Reply.of(keyword.from()));
        }
        return typed("unknown");
    }

    private static Reply find(Find find) {
        if (find instanceof Find.Range range) {
            return typed(
                    "range",
                    Reply.of("lastkey"),
                    Reply.of(range.last()),
                    Reply.of("keystep"),
                    Reply.of(range.step()),
                    Reply.of("limit"),
                    Reply.of(range.limit()));
        }
        if (find instanceof Find.Counted counted) {
            return typed(
                    "keynum",
                    Reply.of("keynumidx"),
                    Reply.of(counted.countIndex()),
                    Reply.of("firstkey"),
                    Reply.of(counted.first()),
                    Reply.of("keystep"),
                    Reply.of(counted.step()));
        }
        return typed("unknown");
    }

    private static Reply typed(String type, Reply... spec) {
        return Reply.mapOf(Reply.of("type"), Reply.of(type), Reply.of("spec"), Reply.mapOf(spec));
    }
}
