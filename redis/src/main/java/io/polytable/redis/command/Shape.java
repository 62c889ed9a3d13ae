package io.polytable.redis.command;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The declaration of a command; each method returns one with more declared. */
record Shape(
        String name,
        Arity arity,
        KeySpecs keys,
        Set<Flag> flags,
        Set<Category> categories,
        List<String> tips,
        Set<Trait> traits,
        @Nullable Body body) {

    /** What this server does differently with a command and COMMAND does not report. */
    enum Trait {
        /** Not in its group's ACL category. */
        APART,
        /** Touches everything: runs alone. */
        EXCLUSIVE,
        /** May take long: runs on a thread of its own. */
        OFF_LOOP,
        /** Needs to know how many keys there are: runs on a thread of its own until they are counted. */
        COUNTS_KEYS,
        /** Runs between MULTI and EXEC, where others are queued. */
        AT_ONCE,
        /** Runs what was queued since MULTI. */
        RUNS_QUEUE
    }

    static Shape of(String name, Arity arity, KeySpecs keys, Set<Flag> flags, @Nullable Body body) {
        Shape shape = new Shape(name, arity, keys, flags, Set.of(), List.of(), Set.of(), body);
        return keys.movable() ? shape.with(List.of(Flag.MOVABLEKEYS)) : shape;
    }

    Shape with(List<Flag> more) {
        Set<Flag> all = EnumSet.copyOf(more);
        all.addAll(flags);
        return new Shape(name, arity, keys, all, categories, tips, traits, body);
    }

    Shape in(List<Category> more) {
        Set<Category> all = EnumSet.copyOf(more);
        all.addAll(categories);
        return new Shape(name, arity, keys, flags, all, tips, traits, body);
    }

    Shape tipped(List<String> hints) {
        return new Shape(name, arity, keys, flags, categories, hints, traits, body);
    }

    Shape being(Trait trait) {
        Set<Trait> all = EnumSet.of(trait);
        all.addAll(traits);
        return new Shape(name, arity, keys, flags, categories, tips, all, body);
    }

    Shape running(Arity itsArity, Body itsBody) {
        return new Shape(name, itsArity, keys, flags, categories, tips, traits, itsBody);
    }

    boolean is(Trait trait) {
        return traits.contains(trait);
    }
}
