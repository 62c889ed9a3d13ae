package io.polytable.redis.command;

import io.polytable.redis.command.KeySpec.Begin;
import io.polytable.redis.command.KeySpec.Find;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The key specifications of a command: which of its words are keys. The dispatcher locks by them, COMMAND reports them,
 * and ACL rules allow them. A command that no specification describes fully (SORT, MIGRATE) adds a
 * {@link Finder}.
 */
public final class KeySpecs {
    public static final KeySpecs NONE = new KeySpecs(List.of(), null, null, null);
    public static final KeySpecs FIRST = range(1, 1, 1);

    private final List<KeySpec> specs;
    private final @Nullable Finder finder;
    private final @Nullable Function<Call, Set<KeyFlag>> flagger;
    private final @Nullable Predicate<Call> reachesFurther;

    /** Finds the keys of calls that no specification describes. */
    @FunctionalInterface
    public interface Finder {
        void find(Call call, KeyPositions found);
    }

    private KeySpecs(
            List<KeySpec> specs,
            @Nullable Finder finder,
            @Nullable Function<Call, Set<KeyFlag>> flagger,
            @Nullable Predicate<Call> reachesFurther) {
        this.specs = List.copyOf(specs);
        this.finder = finder;
        this.flagger = flagger;
        this.reachesFurther = reachesFurther;
    }

    /** Every step-th word from first to last; a negative last counts from the end. */
    public static KeySpecs range(int first, int last, int step) {
        int relative = last >= 0 ? last - first : last;
        return one(new Begin.Index(first), new Find.Range(relative, step, 0));
    }

    /** The word at the index is the number of keys that follow it. */
    public static KeySpecs counted(int countIndex) {
        return one(new Begin.Index(countIndex), new Find.Counted(0, 1, 1));
    }

    /** The word behind the keyword, which is searched from a position on. */
    public static KeySpecs after(String keyword, int from) {
        return one(new Begin.Keyword(keyword, from), new Find.Range(0, 1, 0));
    }

    public static KeySpecs of(Begin begin, Find find) {
        return one(begin, find);
    }

    private static KeySpecs one(Begin begin, Find find) {
        return new KeySpecs(List.of(new KeySpec(begin, find, Set.of(), null)), null, null, null);
    }

    /** Sets the flags of the last specification. Most need none: reads and writes have defaults. */
    public KeySpecs as(KeyFlag first, KeyFlag... more) {
        KeySpec last = specs.get(specs.size() - 1);
        return withLast(new KeySpec(last.begin(), last.find(), Set.copyOf(EnumSet.of(first, more)), last.notes()));
    }

    /** The note that COMMAND INFO shows with the last specification. */
    public KeySpecs note(String notes) {
        KeySpec last = specs.get(specs.size() - 1);
        return withLast(new KeySpec(last.begin(), last.find(), last.flags(), notes));
    }

    private KeySpecs withLast(KeySpec spec) {
        List<KeySpec> all = new ArrayList<>(specs);
        all.set(all.size() - 1, spec);
        return new KeySpecs(all, finder, flagger, reachesFurther);
    }

    public KeySpecs and(KeySpecs more) {
        List<KeySpec> all = new ArrayList<>(specs);
        all.addAll(more.specs);
        return new KeySpecs(all, finder, flagger, reachesFurther);
    }

    public KeySpecs foundBy(Finder precise) {
        return new KeySpecs(specs, precise, flagger, reachesFurther);
    }

    /** Computes the flags from the call's other words. */
    public KeySpecs flaggedBy(Function<Call, Set<KeyFlag>> precise) {
        return new KeySpecs(specs, finder, precise, reachesFurther);
    }

    /** Marks calls that also read keys derived from values, which no word names (SORT BY). */
    public KeySpecs reachingFurther(Predicate<Call> when) {
        return new KeySpecs(specs, finder, flagger, when);
    }

    /** Whether the call reads keys that no word names. */
    public boolean reachFurther(Call call) {
        Predicate<Call> when = reachesFurther;
        return when != null && when.test(call);
    }

    /** Whether a {@link Finder} finds the keys. */
    public boolean hasFinder() {
        return finder != null;
    }

    /** The flags of this call for the keys of the specification. */
    public Set<KeyFlag> flags(Call call, KeySpec spec) {
        Function<Call, Set<KeyFlag>> precise = flagger;
        return precise != null && spec.flags().contains(KeyFlag.VARIABLE_FLAGS) ? precise.apply(call) : spec.flags();
    }

    /** A test of one key of a call. */
    @FunctionalInterface
    public interface KeyTest {
        boolean test(int position, Set<KeyFlag> flags);
    }

    /** The position of the first key that passes the test, or 0. The last specification describes what a finder finds. */
    public int firstThat(Call call, KeyTest test) {
        if (isFirst()) {
            return call.size() > 1 && test.test(1, flags(call, specs.get(0))) ? 1 : 0;
        }
        if (finder != null) {
            return firstFound(finder, call, test);
        }
        for (KeySpec spec : specs) {
            KeyPositions found = find(call, spec);
            Set<KeyFlag> flags = flags(call, spec);
            for (int i = 0; i < found.size(); i++) {
                if (test.test(found.at(i), flags)) {
                    return found.at(i);
                }
            }
        }
        return 0;
    }

    private int firstFound(Finder precise, Call call, KeyTest test) {
        KeyPositions found = new KeyPositions();
        precise.find(call, found);
        for (int i = 0; i < found.size(); i++) {
            Set<KeyFlag> flags = specs.get(i == 0 ? 0 : specs.size() - 1).flags();
            if (test.test(found.at(i), flags)) {
                return found.at(i);
            }
        }
        return 0;
    }

    /** Sets default flags for specifications without flags. */
    KeySpecs orElse(Set<KeyFlag> flags) {
        List<KeySpec> all = new ArrayList<>();
        for (KeySpec spec : specs) {
            all.add(spec.flags().isEmpty() ? new KeySpec(spec.begin(), spec.find(), flags, spec.notes()) : spec);
        }
        return new KeySpecs(all, finder, flagger, reachesFurther);
    }

    public List<KeySpec> specs() {
        return specs;
    }

    public boolean isEmpty() {
        return specs.isEmpty() && finder == null;
    }

    /** Exactly the first argument: the case worth a fast path. */
    boolean isFirst() {
        return finder == null
                && specs.size() == 1
                && !specs.get(0).flags().contains(KeyFlag.NOT_KEY)
                && specs.get(0).begin() instanceof Begin.Index begin
                && begin.index() == 1
                && specs.get(0).find() instanceof Find.Range range
                && range.last() == 0;
    }

    boolean movable() {
        return specs.stream().anyMatch(spec -> !isRange(spec));
    }

    /** The keys that one specification finds. */
    public static KeyPositions find(Call call, KeySpec spec) {
        KeyPositions found = new KeyPositions();
        if (!spec.flags().contains(KeyFlag.NOT_KEY)) {
            found.addAll(call, spec);
        }
        return found;
    }

    /** First, last and step for old clients; zeros when the specifications have no such form. */
    public LegacyRange legacyRange() {
        return LegacyRange.of(specs);
    }

    static boolean isRange(KeySpec spec) {
        return spec.begin() instanceof Begin.Index && spec.find() instanceof Find.Range;
    }

    /** Finds the keys. A call whose words do not fit the specifications yields none; its body reports the error. */
    public void find(Call call, KeyPositions found) {
        if (finder != null) {
            finder.find(call, found);
            return;
        }
        for (KeySpec spec : specs) {
            if (!spec.flags().contains(KeyFlag.NOT_KEY)) {
                found.addAll(call, spec);
            }
        }
    }
}
