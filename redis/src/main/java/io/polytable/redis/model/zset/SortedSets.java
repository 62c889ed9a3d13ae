package io.polytable.redis.model.zset;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.change.EventClass;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.order.ElementCursor;
import io.polytable.redis.model.order.SortKeys;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.Page;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * Operations on sorted sets: members with scores, in the order of scores. Each element is two rows in the same batch:
 * from member to score, and its place in the order; fences count the places. docs/formats/redis-zset.md has the bytes.
 */
public final class SortedSets {
    private static final KeyEvent ZADD = event("zadd");
    private static final KeyEvent ZINCR = event("zincr");
    private static final KeyEvent ZREM = event("zrem");
    private static final KeyEvent ZREMRANGEBYRANK = event("zremrangebyrank");
    private static final KeyEvent ZREMRANGEBYSCORE = event("zremrangebyscore");
    private static final KeyEvent ZREMRANGEBYLEX = event("zremrangebylex");
    private static final KeyEvent ZPOPMIN = event("zpopmin");
    private static final KeyEvent ZPOPMAX = event("zpopmax");
    private static final KeyEvent ZRANGESTORE = event("zrangestore");

    public static KeyEvent event(String name) {
        return new KeyEvent(EventClass.ZSET, name);
    }

    static Optional<SortedSet> open(Space space, Bytes key) {
        Optional<CollectionHeader> header = space.collection(key, Type.ZSET);
        return header.isPresent() ? Optional.of(new SortedSet(space, key, header.get())) : Optional.empty();
    }

    public long size(Space space, Bytes key) {
        Optional<CollectionHeader> header = space.collection(key, Type.ZSET);
        return header.isPresent() ? header.get().size() : 0;
    }

    public OptionalDouble score(Space space, Bytes key, Bytes member) {
        Optional<SortedSet> set = open(space, key);
        return set.isPresent() ? optional(set.get().score(member)) : OptionalDouble.empty();
    }

    /** One answer per member, in the order asked. */
    public List<OptionalDouble> scores(Space space, Bytes key, List<Bytes> members) {
        Optional<SortedSet> set = open(space, key);
        List<OptionalDouble> scores = new ArrayList<>(members.size());
        for (Bytes member : members) {
            scores.add(set.isPresent() ? optional(set.get().score(member)) : OptionalDouble.empty());
        }
        return scores;
    }

    private static OptionalDouble optional(double score) {
        return Double.isNaN(score) ? OptionalDouble.empty() : OptionalDouble.of(score);
    }

    public AddOutcome add(Space space, Bytes key, AddRules rules, List<Element> elements) {
        Optional<CollectionHeader> present = space.collection(key, Type.ZSET);
        if (present.isEmpty() && !rules.absent()) {
            return AddOutcome.NOTHING;
        }
        CollectionHeader header = present.orElseGet(() -> space.newCollection(key, Type.ZSET));
        SortedSet set = new SortedSet(space, key, header);
        long added = 0;
        long updated = 0;
        OptionalDouble last = OptionalDouble.empty();
        for (Element element : elements) {
            double old = set.score(element.member());
            if (Double.isNaN(old)) {
                if (rules.absent()) {
                    set.add(element.member(), element.score());
                    last = OptionalDouble.of(element.score());
                    added++;
                }
                continue;
            }
            double next = rules.increment() ? incremented(old, element.score()) : element.score();
            if (rules.allows(old, next)) {
                last = OptionalDouble.of(next);
                if (next != old) {
                    set.move(element.member(), old, next);
                    updated++;
                }
            }
        }
        if (added + updated > 0) {
            set.save();
            space.changed(key, rules.increment() ? ZINCR : ZADD);
        }
        return new AddOutcome(added, updated, last);
    }

    private static double incremented(double old, double by) {
        double sum = old + by;
        if (Double.isNaN(sum)) {
            throw new RedisError("resulting score is not a number (NaN)");
        }
        return sum;
    }

    public long remove(Space space, Bytes key, List<Bytes> members) {
        Optional<SortedSet> present = open(space, key);
        if (present.isEmpty()) {
            return 0;
        }
        SortedSet set = present.get();
        long before = set.size();
        for (Bytes member : members) {
            double score = set.score(member);
            if (!Double.isNaN(score)) {
                set.remove(member, score);
            }
        }
        if (set.size() != before) {
            space.changed(key, ZREM);
            set.save();
        }
        return before - set.size();
    }

    /** A member's rank, from zero in the direction, and its score. */
    public record Ranked(long rank, double score) {}

    public Optional<Ranked> rank(Space space, Bytes key, Bytes member, Direction direction) {
        Optional<SortedSet> present = open(space, key);
        if (present.isEmpty()) {
            return Optional.empty();
        }
        SortedSet set = present.get();
        double score = set.score(member);
        if (Double.isNaN(score)) {
            return Optional.empty();
        }
        long rank = set.index().rank(SortKeys.of(score, member));
        return Optional.of(new Ranked(direction == Direction.FORWARD ? rank : set.size() - 1 - rank, score));
    }

    public long count(Space space, Bytes key, ElementRange range) {
        Optional<SortedSet> set = open(space, key);
        return set.isPresent() ? set.get().count(ElementRuns.of(set.get(), range, Direction.FORWARD)) : 0;
    }

    public List<Element> select(Space space, Bytes key, Selection selection) {
        Optional<SortedSet> present = open(space, key);
        if (present.isEmpty() || selection.offset() < 0) {
            return new ArrayList<>();
        }
        SortedSet set = present.get();
        ElementRun span = ElementRuns.of(set, selection.range(), selection.direction());
        return collect(set.walk(span, selection.direction(), selection.offset(), selection.limitOrAll()));
    }

    /**
     * Walks over the elements of the range, lowest first, while more are wanted. They are not charged as read: a caller
     * that keeps one charges it.
     */
    public void walk(Space space, Bytes key, ElementRange range, Predicate<Element> wantsMore) {
        Optional<SortedSet> present = open(space, key);
        if (present.isEmpty()) {
            return;
        }
        ElementRun run = ElementRuns.of(present.get(), range, Direction.FORWARD);
        try (ElementCursor cursor = present.get().walk(run, Direction.FORWARD, 0, Long.MAX_VALUE)) {
            while (cursor.next() && wantsMore.test(cursor.elementUncharged())) {
                // The test is the action.
            }
        }
    }

    private static List<Element> collect(ElementCursor cursor) {
        List<Element> elements = new ArrayList<>();
        try (cursor) {
            while (cursor.next()) {
                elements.add(cursor.element());
            }
        }
        return elements;
    }

    /** Removes the elements of the range and answers their number. */
    public long removeRange(Space space, Bytes key, ElementRange range) {
        Optional<SortedSet> present = open(space, key);
        if (present.isEmpty()) {
            return 0;
        }
        SortedSet set = present.get();
        ElementRun span = ElementRuns.of(set, range, Direction.FORWARD);
        long count = set.count(span);
        if (count > 0) {
            space.changed(key, removal(range));
        }
        if (count > 0 && count == set.size()) {
            // The sweeper deletes the rows: removing a whole set costs the same at any size.
            space.remove(key);
        } else if (count > 0) {
            removeAll(set, set.walk(span, Direction.FORWARD, 0, count));
        }
        return count;
    }

    private static KeyEvent removal(ElementRange range) {
        if (range instanceof ElementRange.Ranks) {
            return ZREMRANGEBYRANK;
        }
        return range instanceof ElementRange.Scores ? ZREMRANGEBYSCORE : ZREMRANGEBYLEX;
    }

    private static void removeAll(SortedSet set, ElementCursor cursor) {
        try (cursor) {
            while (cursor.next()) {
                set.remove(cursor);
            }
        }
        set.save();
    }

    /** Pops up to {@code count} elements from the low or the high end. */
    public List<Element> pop(Space space, Bytes key, Direction from, long count) {
        Optional<SortedSet> present = open(space, key);
        if (present.isEmpty() || count <= 0) {
            return List.of();
        }
        SortedSet set = present.get();
        Selection all = Selection.all(new ElementRange.Ranks(0, count - 1), from);
        List<Element> taken = collect(set.walk(ElementRuns.of(set, all.range(), from), from, 0, count));
        space.changed(key, from == Direction.FORWARD ? ZPOPMIN : ZPOPMAX);
        if (taken.size() == set.size()) {
            space.remove(key);
        } else {
            for (Element element : taken) {
                set.remove(element.member(), element.score());
            }
            set.save();
        }
        return taken;
    }

    /** Replaces the target by the selected elements of the source and answers their number. */
    public long copy(Space space, Bytes source, Selection selection, Bytes target) {
        List<Element> elements = select(space, source, selection);
        if (elements.isEmpty() && space.header(source).isEmpty()) {
            space.missed(source);
        }
        boolean startsWide =
                selection.range() instanceof ElementRange.Ranks && SortedSet.widens(elements.size(), Bytes.EMPTY);
        if (!startsWide) {
            forgetPackedSigns(elements);
        }
        if (selection.direction() == Direction.REVERSE) {
            Collections.reverse(elements);
        }
        store(space, target, elements, ZRANGESTORE);
        return elements.size();
    }

    /**
     * Redis packs the target until it has too many elements or a long one, unless it knows beforehand how many will
     * come. A packed element has lost the sign of its zero, even when the set is unpacked later.
     */
    private static void forgetPackedSigns(List<Element> elements) {
        for (int i = 0; i < elements.size(); i++) {
            Element element = elements.get(i);
            if (SortedSet.widens(i + 1, element.member())) {
                return;
            }
            elements.set(i, new Element(element.score() + 0.0, element.member()));
        }
    }

    /** Replaces whatever the key held by these elements, which are in order; none removes the key. */
    public void store(Space space, Bytes key, List<Element> elements, KeyEvent event) {
        if (elements.isEmpty()) {
            space.remove(key);
            return;
        }
        boolean wide = false;
        for (Element element : elements) {
            wide |= SortedSet.widens(elements.size(), element.member());
        }
        CollectionHeader header = space.newCollection(key, Type.ZSET);
        int levels = new SortedSetWriter(space, header, elements.size()).write(elements, wide);
        space.put(key, header.withSize(elements.size()).withFields(SortedSet.fields(levels, wide)));
        space.changed(key, event);
    }

    /** One step of ZSCAN. As in Redis, a packed set is returned whole and in order, whatever count is asked for. */
    public ElementPage scan(Space space, Bytes key, long cursor, long count) {
        Optional<SortedSet> present = open(space, key);
        if (present.isEmpty()) {
            return new ElementPage(List.of(), 0, false);
        }
        SortedSet set = present.get();
        if (!set.isWide()) {
            return new ElementPage(collect(set.index().from(0, Direction.FORWARD, Long.MAX_VALUE)), 0, false);
        }
        Page page = set.page(cursor, count);
        List<Element> elements = page.rows().stream()
                .map(row -> new Element(SortedSet.decode(row.value()), row.sub()))
                .toList();
        return new ElementPage(elements, page.cursor(), true);
    }

    /**
     * One step of ZSCAN.
     *
     * @param cursor where the next step continues; 0 when this was the last
     * @param wide whether Redis would not pack the set: it formats the scores of the two differently
     */
    public record ElementPage(List<Element> elements, long cursor, boolean wide) {}
}
