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
        boolean apart,
        List<String> tips,
        boolean exclusive,
        boolean offLoop,
        @Nullable Body body) {

    static Shape of(String name, Arity arity, KeySpecs keys, Set<Flag> flags, @Nullable Body body) {
        Shape shape = new Shape(name, arity, keys, flags, Set.of(), false, List.of(), false, false, body);
        return keys.movable() ? shape.with(List.of(Flag.MOVABLEKEYS)) : shape;
    }

    Shape with(List<Flag> more) {
        Set<Flag> all = EnumSet.copyOf(more);
        all.addAll(flags);
        return new Shape(name, arity, keys, all, categories, apart, tips, exclusive, offLoop, body);
    }

    Shape in(List<Category> more) {
        Set<Category> all = EnumSet.copyOf(more);
        all.addAll(categories);
        return new Shape(name, arity, keys, flags, all, apart, tips, exclusive, offLoop, body);
    }

    Shape setApart() {
        return new Shape(name, arity, keys, flags, categories, true, tips, exclusive, offLoop, body);
    }

    Shape tipped(List<String> hints) {
        return new Shape(name, arity, keys, flags, categories, apart, hints, exclusive, offLoop, body);
    }

    Shape alone() {
        return new Shape(name, arity, keys, flags, categories, apart, tips, true, offLoop, body);
    }

    Shape besideTheLoop() {
        return new Shape(name, arity, keys, flags, categories, apart, tips, exclusive, true, body);
    }

    Shape running(Arity itsArity, Body itsBody) {
        return new Shape(name, itsArity, keys, flags, categories, apart, tips, exclusive, offLoop, itsBody);
    }
}
