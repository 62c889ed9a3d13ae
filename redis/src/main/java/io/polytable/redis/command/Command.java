package io.polytable.redis.command;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One command: its shape, what it touches, what it does. Everything that treats commands differently (locks, COMMAND,
 * ACL, authentication) reads it here; nothing asks for a name.
 */
public final class Command {
    private final Shape shape;
    private final String fullName;
    private final Group group;
    private final List<Command> subcommands;
    private final int index;
    private final boolean writes;
    private final boolean noAuth;
    private final boolean firstKeyOnly;

    /** What a declaration says. */
    private record Shape(
            String name,
            Arity arity,
            Keys keys,
            Set<Flag> flags,
            Set<Category> categories,
            boolean ownCategoriesOnly,
            List<String> tips,
            boolean exclusive,
            @Nullable Body body) {}

    private Command(Shape shape, String fullName, Group group, List<Command> subcommands, int index) {
        this.shape = shape;
        this.fullName = fullName;
        this.group = group;
        this.subcommands = List.copyOf(subcommands);
        this.index = index;
        this.writes = shape.flags.contains(Flag.WRITE);
        this.noAuth = shape.flags.contains(Flag.NO_AUTH);
        this.firstKeyOnly = shape.keys.isFirst();
    }

    /** A command that changes no row; its keys are only read unless it says otherwise. */
    public static Command reads(String name, Arity arity, Keys keys, Body body) {
        Keys flagged = keys.orElse(Set.of(KeyFlag.RO, KeyFlag.ACCESS));
        return declared(name, arity, flagged, EnumSet.of(Flag.READONLY), body);
    }

    /** A command that changes rows; its keys are updated unless it says otherwise. */
    public static Command writes(String name, Arity arity, Keys keys, Body body) {
        Keys flagged = keys.orElse(Set.of(KeyFlag.RW, KeyFlag.UPDATE));
        return declared(name, arity, flagged, EnumSet.of(Flag.WRITE), body);
    }

    /** A command about the connection or the server, not about rows. */
    public static Command speaks(String name, Arity arity, Body body) {
        return declared(name, arity, Keys.NONE, EnumSet.noneOf(Flag.class), body);
    }

    /** A name that only holds subcommands; they are declared with their second word as name. */
    public static Command container(String name, List<Command> subcommands) {
        return new Command(
                shape(name, Arity.atLeast(2), Keys.NONE, EnumSet.noneOf(Flag.class), null),
                name,
                Group.SERVER,
                subcommands,
                -1);
    }

    private static Command declared(String name, Arity arity, Keys keys, Set<Flag> flags, Body body) {
        return new Command(shape(name, arity, keys, flags, body), name, Group.SERVER, List.of(), -1);
    }

    private static Shape shape(String name, Arity arity, Keys keys, Set<Flag> flags, @Nullable Body body) {
        if (keys.movable()) {
            flags.add(Flag.MOVABLEKEYS);
        }
        return new Shape(name, arity, keys, Set.copyOf(flags), Set.of(), false, List.of(), false, body);
    }

    public Command with(Flag... flags) {
        Set<Flag> all = copyOf(Flag.class, shape.flags);
        all.addAll(List.of(flags));
        return copy(new Shape(
                shape.name,
                shape.arity,
                shape.keys,
                Set.copyOf(all),
                shape.categories,
                shape.ownCategoriesOnly,
                shape.tips,
                shape.exclusive,
                shape.body));
    }

    /** ACL categories besides those that follow from the group and the flags. */
    public Command in(Category... categories) {
        Set<Category> all = copyOf(Category.class, shape.categories);
        all.addAll(List.of(categories));
        return copy(withCategories(all, shape.ownCategoriesOnly));
    }

    /** Not in its group's ACL category. */
    public Command apart() {
        return copy(withCategories(shape.categories, true));
    }

    private Shape withCategories(Set<Category> categories, boolean ownOnly) {
        return new Shape(
                shape.name,
                shape.arity,
                shape.keys,
                shape.flags,
                Set.copyOf(categories),
                ownOnly,
                shape.tips,
                shape.exclusive,
                shape.body);
    }

    /** What COMMAND tells to proxies and cluster clients. */
    public Command tips(String... tips) {
        return copy(new Shape(
                shape.name,
                shape.arity,
                shape.keys,
                shape.flags,
                shape.categories,
                shape.ownCategoriesOnly,
                List.of(tips),
                shape.exclusive,
                shape.body));
    }

    /** Touches everything: runs alone. */
    public Command exclusive() {
        return copy(new Shape(
                shape.name,
                shape.arity,
                shape.keys,
                shape.flags,
                shape.categories,
                shape.ownCategoriesOnly,
                shape.tips,
                true,
                shape.body));
    }

    /** A container that also does something when called by its name alone. */
    public Command alone(Arity arity, Body body) {
        return copy(new Shape(
                shape.name,
                arity,
                shape.keys,
                shape.flags,
                shape.categories,
                shape.ownCategoriesOnly,
                shape.tips,
                shape.exclusive,
                body));
    }

    private Command copy(Shape changed) {
        return new Command(changed, fullName, group, subcommands, index);
    }

    /** The command as a table holds it: with its place, and its subcommands with theirs. */
    Command placed(String within, Group family, Counter counter) {
        String full = within.isEmpty() ? shape.name : within + "|" + shape.name;
        int place = counter.next();
        List<Command> placed = new ArrayList<>();
        for (Command each : subcommands) {
            placed.add(each.placed(full, family, counter));
        }
        return new Command(shape, full, family, placed, place);
    }

    /** Hands out places. */
    static final class Counter {
        private int last = -1;

        int next() {
            return ++last;
        }

        int count() {
            return last + 1;
        }
    }

    /** In small letters; of a subcommand its own word. */
    public String name() {
        return shape.name;
    }

    /** In small letters; of a subcommand with its container: {@code client|id}. */
    public String fullName() {
        return fullName;
    }

    public Group group() {
        return group;
    }

    public Arity arity() {
        return shape.arity;
    }

    public Keys keys() {
        return shape.keys;
    }

    public Set<Flag> flags() {
        return shape.flags;
    }

    public boolean has(Flag flag) {
        return shape.flags.contains(flag);
    }

    public List<String> tips() {
        return shape.tips;
    }

    public List<Command> subcommands() {
        return subcommands;
    }

    /** The command's own number in its table, from zero: where counters about it stand. */
    public int index() {
        return index;
    }

    public boolean writes() {
        return writes;
    }

    boolean noAuth() {
        return noAuth;
    }

    boolean firstKeyOnly() {
        return firstKeyOnly;
    }

    boolean isExclusive() {
        return shape.exclusive;
    }

    @Nullable
    Body body() {
        return shape.body;
    }

    /** All ACL categories: the group's, those that follow from flags, and the declared ones. */
    public Set<Category> categories() {
        Set<Category> all = copyOf(Category.class, shape.categories);
        if (!shape.ownCategoriesOnly && subcommands.isEmpty()) {
            group.category().ifPresent(all::add);
        }
        all.add(has(Flag.FAST) ? Category.FAST : Category.SLOW);
        addIf(all, Flag.WRITE, Category.WRITE);
        if (!all.contains(Category.SCRIPTING)) {
            addIf(all, Flag.READONLY, Category.READ);
        }
        addIf(all, Flag.ADMIN, Category.ADMIN);
        addIf(all, Flag.ADMIN, Category.DANGEROUS);
        addIf(all, Flag.PUBSUB, Category.PUBSUB);
        addIf(all, Flag.BLOCKING, Category.BLOCKING);
        return all;
    }

    private void addIf(Set<Category> all, Flag flag, Category category) {
        if (has(flag)) {
            all.add(category);
        }
    }

    private static <E extends Enum<E>> Set<E> copyOf(Class<E> type, Set<E> set) {
        Set<E> copy = EnumSet.noneOf(type);
        copy.addAll(set);
        return copy;
    }

    @Override
    public String toString() {
        return fullName;
    }
}
