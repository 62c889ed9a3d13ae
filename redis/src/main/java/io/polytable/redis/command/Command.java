package io.polytable.redis.command;

import io.polytable.redis.command.Shape.Trait;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A command: its declaration (shape), its place in the table and its body. Everything that treats commands differently
 * (locks, COMMAND, ACL, authentication) reads the declaration.
 */
public final class Command {
    private static final Set<String> FOR_SUBSCRIBERS = Set.of(
            "ping",
            "quit",
            "reset",
            "subscribe",
            "psubscribe",
            "ssubscribe",
            "unsubscribe",
            "punsubscribe",
            "sunsubscribe");

    private final Shape shape;
    private final String fullName;
    private final Group group;
    private final List<Command> subcommands;
    private final int index;
    private final Body body;
    private final boolean container;
    private final boolean writes;
    private final boolean noAuth;
    private final boolean firstKeyOnly;
    private final boolean forSubscribers;
    private final boolean atOnce;
    private final boolean runsQueue;
    private final boolean runsScript;
    private final ChannelUse channels;

    private Command(Shape shape, String fullName, Group group, List<Command> subcommands, int index) {
        this.shape = shape;
        this.fullName = fullName;
        this.group = group;
        this.subcommands = List.copyOf(subcommands);
        this.index = index;
        this.body = Objects.requireNonNullElse(shape.body(), call -> Reply.ABSENT);
        this.container = !subcommands.isEmpty();
        // True for PFCOUNT only: a read for clients, but it caches the cardinality in the value.
        this.runsScript = shape.is(Trait.RUNS_SCRIPT);
        this.writes = (runsScript && !shape.flags().contains(Flag.READONLY))
                || shape.flags().contains(Flag.WRITE)
                || (shape.flags().contains(Flag.READONLY)
                        && shape.keys().specs().stream()
                                .anyMatch(spec -> spec.flags().contains(KeyFlag.RW)));
        this.noAuth = shape.flags().contains(Flag.NO_AUTH);
        this.firstKeyOnly = shape.keys().isFirst();
        this.forSubscribers = FOR_SUBSCRIBERS.contains(fullName);
        this.atOnce = shape.is(Trait.AT_ONCE);
        this.runsQueue = shape.is(Trait.RUNS_QUEUE);
        this.channels = ChannelUse.of(fullName);
    }

    /** Declares a command that changes no row; its keys are read-only unless their specification says otherwise. */
    public static Command reads(String name, Arity arity, KeySpecs keys, Body body) {
        KeySpecs flagged = keys.orElse(Set.of(KeyFlag.RO, KeyFlag.ACCESS));
        return declared(name, arity, flagged, Set.of(Flag.READONLY), body);
    }

    /** Declares a command that changes rows; its keys are updated unless their specification says otherwise. */
    public static Command writes(String name, Arity arity, KeySpecs keys, Body body) {
        KeySpecs flagged = keys.orElse(Set.of(KeyFlag.RW, KeyFlag.UPDATE));
        return declared(name, arity, flagged, Set.of(Flag.WRITE), body);
    }

    /** Declares a command about the connection or the server, not about rows. */
    public static Command speaks(String name, Arity arity, Body body) {
        return declared(name, arity, KeySpecs.NONE, Set.of(), body);
    }

    /** Declares a command about the connection or the server that takes keys. */
    public static Command speaks(String name, Arity arity, KeySpecs keys, Body body) {
        return declared(name, arity, keys, Set.of(), body);
    }

    /** A container of subcommands, each declared with its second word as name. */
    public static Command container(String name, List<Command> subcommands) {
        return new Command(
                Shape.of(name, Arity.atLeast(2), KeySpecs.NONE, Set.of(), null), name, Group.SERVER, subcommands, -1);
    }

    private static Command declared(String name, Arity arity, KeySpecs keys, Set<Flag> flags, Body body) {
        return new Command(Shape.of(name, arity, keys, flags, body), name, Group.SERVER, List.of(), -1);
    }

    public Command with(Flag... flags) {
        return copy(shape.with(List.of(flags)));
    }

    /** Adds ACL categories to those that follow from the group and the flags. */
    public Command in(Category... categories) {
        return copy(shape.in(List.of(categories)));
    }

    /** Leaves the command out of its group's ACL category. */
    public Command apart() {
        return copy(shape.being(Trait.APART));
    }

    /** The command tips that COMMAND reports to proxies and cluster clients. */
    public Command tips(String... tips) {
        return copy(shape.tipped(List.of(tips)));
    }

    /** Locks all stripes: runs alone. */
    public Command exclusive() {
        return copy(shape.being(Trait.EXCLUSIVE));
    }

    /** Runs on a worker thread because it may take long; its connection waits, the event loop serves the others. */
    public Command offLoop() {
        return copy(shape.being(Trait.OFF_LOOP));
    }

    /** Needs the number of keys, which takes long to count after a start. */
    public Command countingKeys() {
        return copy(shape.being(Trait.COUNTS_KEYS));
    }

    /** Runs between MULTI and EXEC, where other commands are queued. */
    public Command atOnce() {
        return copy(shape.being(Trait.AT_ONCE));
    }

    /** Runs the queue of an open transaction (EXEC); without MULTI, its body. */
    public Command runningTheQueue() {
        return copy(shape.being(Trait.RUNS_QUEUE));
    }

    /** Runs a script: its keys are those that the script may access without further locks. */
    public Command runningAScript() {
        return copy(shape.being(Trait.RUNS_SCRIPT));
    }

    /** Gives a container a body for calls without a subcommand. */
    public Command alone(Arity arity, Body body) {
        return copy(shape.running(arity, body));
    }

    private Command copy(Shape changed) {
        return new Command(changed, fullName, group, subcommands, index);
    }

    /** The command as a table holds it: it and its subcommands have an index. */
    Command placed(String within, Group family, Counter counter) {
        String full = within.isEmpty() ? shape.name() : within + "|" + shape.name();
        int place = counter.next();
        List<Command> placed = new ArrayList<>();
        for (Command each : subcommands) {
            placed.add(each.placed(full, family, counter));
        }
        return new Command(shape, full, family, placed, place);
    }

    /** Assigns indexes. */
    static final class Counter {
        private int last = -1;

        int next() {
            return ++last;
        }

        int count() {
            return last + 1;
        }
    }

    /** In lower case; for a subcommand, the second word only. */
    public String name() {
        return shape.name();
    }

    /** In lower case; a subcommand is prefixed with its container: {@code client|id}. */
    public String fullName() {
        return fullName;
    }

    public Group group() {
        return group;
    }

    public Arity arity() {
        return shape.arity();
    }

    public KeySpecs keys() {
        return shape.keys();
    }

    public Set<Flag> flags() {
        return shape.flags();
    }

    public boolean has(Flag flag) {
        return shape.flags().contains(flag);
    }

    public List<String> tips() {
        return shape.tips();
    }

    public List<Command> subcommands() {
        return subcommands;
    }

    /** The command's index in its table, from zero: counters per command are arrays by this index. */
    public int index() {
        return index;
    }

    public boolean writes() {
        return writes;
    }

    public boolean noAuth() {
        return noAuth;
    }

    public boolean firstKeyOnly() {
        return firstKeyOnly;
    }

    /** Whether RESP2 subscribers may call it. RESP2 has no push type, so clients cannot tell replies from messages. */
    public boolean isForSubscribers() {
        return forSubscribers;
    }

    public boolean isExclusive() {
        return shape.is(Trait.EXCLUSIVE);
    }

    public boolean isOffLoop() {
        return shape.is(Trait.OFF_LOOP);
    }

    public boolean countsKeys() {
        return shape.is(Trait.COUNTS_KEYS);
    }

    /** Whether it runs between MULTI and EXEC instead of being queued. */
    public boolean isAtOnce() {
        return atOnce;
    }

    /** Whether it runs the queue of an open transaction (EXEC). */
    public boolean runsQueue() {
        return runsQueue;
    }

    /** Whether it runs a script. */
    public boolean runsScript() {
        return runsScript;
    }

    /** Which of its words are channels that its user needs permission for. */
    public ChannelUse channels() {
        return channels;
    }

    /** Whether it accesses keys that its words do not name: KEYS, DBSIZE, FLUSHALL. */
    public boolean touchesUnnamedKeys() {
        return isExclusive() || (keys().isEmpty() && (has(Flag.READONLY) || has(Flag.WRITE)));
    }

    public boolean isContainer() {
        return container;
    }

    /** Whether it has a body; most containers have none. */
    public boolean runs() {
        return shape.body() != null;
    }

    public Body body() {
        return body;
    }

    /** All ACL categories: the group's, those implied by flags, and the declared ones. */
    public Set<Category> categories() {
        Set<Category> all = EnumSet.noneOf(Category.class);
        all.addAll(shape.categories());
        if (!shape.is(Trait.APART) && (subcommands.isEmpty() || runs())) {
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

    @Override
    public String toString() {
        return fullName;
    }
}
