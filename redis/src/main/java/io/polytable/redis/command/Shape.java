package io.polytable.redis.command;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The declaration of a command, immutable; each method returns an extended copy. */
record Shape(
        String name,
        Arity arity,
        KeySpecs keys,
        Set<Flag> flags,
        Set<Category> categories,
        List<String> tips,
        Set<Trait> traits,
        @Nullable Body body) {

    /** Properties that only this server needs and COMMAND does not report. */
    enum Trait {
        /** Not in its group's ACL category. */
        APART,
        /** Locks all stripes: runs alone. */
        EXCLUSIVE,
        /** Runs on a worker thread because it may take long. */
        OFF_LOOP,
        /** Needs the number of keys: runs on a worker thread until they are counted. */
        COUNTS_KEYS,
        /** Runs between MULTI and EXEC instead of being queued. */
        AT_ONCE,
        /** Runs the queue of an open transaction. */
        RUNS_QUEUE,
        /** Runs a script, which calls other commands. */
        RUNS_SCRIPT
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
