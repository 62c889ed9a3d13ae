package io.polytable.redis.model.zset;

import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.order.ElementCursor;
import io.polytable.redis.model.order.OrderRows;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import java.util.function.Predicate;

/** Resolves the range that a client asks for to a run of neighbouring elements. */
final class ElementRuns {
    private ElementRuns() {}

    /** The direction matters only for a range of members in a set of several scores. */
    static ElementRun of(SortedSet set, ElementRange range, Direction direction) {
        if (range instanceof ElementRange.Ranks ranks) {
            return ofRanks(ranks, set.size(), direction);
        }
        if (range instanceof ElementRange.Scores scores) {
            return new ElementRun.OfPlaces(scores.min().asLower(), scores.max().asUpper());
        }
        return ofMembers(set, (ElementRange.Members) range, direction);
    }

    /** In reverse, ranks count from the last element. */
    private static ElementRun ofRanks(ElementRange.Ranks ranks, long size, Direction direction) {
        long first = Math.max(0, ranks.first() < 0 ? ranks.first() + size : ranks.first());
        long last = Math.min(size - 1, ranks.last() < 0 ? ranks.last() + size : ranks.last());
        if (first > last || first >= size) {
            return ElementRun.NOTHING;
        }
        long count = last - first + 1;
        return new ElementRun.OfRanks(direction == Direction.FORWARD ? first : size - 1 - last, count);
    }

    /**
     * Ranges of members are defined only where all scores are equal. Elsewhere Redis compares members all the same: in
     * a packed set by stepping from the end where the walk begins, which we do for all sets. In other sets its answer
     * depends on its random skip list.
     */
    private static ElementRun ofMembers(SortedSet set, ElementRange.Members range, Direction direction) {
        if (range.min().asLower(0).compareTo(range.max().asUpper(0)) >= 0) {
            return ElementRun.NOTHING;
        }
        Element first = at(set, 0);
        Element last = at(set, set.size() - 1);
        if (first.score() == last.score()) {
            return new ElementRun.OfPlaces(
                    range.min().asLower(first.score()), range.max().asUpper(first.score()));
        }
        if (!range.min().isAtOrBefore(last.member()) || !range.max().isAtOrBehind(first.member())) {
            return ElementRun.NOTHING;
        }
        return direction == Direction.FORWARD ? stepUp(set, range) : stepDown(set, range);
    }

    private static Element at(SortedSet set, long rank) {
        Direction direction = rank == 0 ? Direction.FORWARD : Direction.REVERSE;
        try (ElementCursor cursor = set.index().from(rank, direction, 1)) {
            if (!cursor.next()) {
                throw OrderRows.damaged(set.id(), "Sorted set has fewer elements than its header counts");
            }
            return cursor.element();
        }
    }

    private static ElementRun stepUp(SortedSet set, ElementRange.Members range) {
        return run(set, Direction.FORWARD, range.min()::isAtOrBefore, range.max()::isAtOrBehind);
    }

    private static ElementRun stepDown(SortedSet set, ElementRange.Members range) {
        ElementRun.OfRanks run = run(set, Direction.REVERSE, range.max()::isAtOrBehind, range.min()::isAtOrBefore);
        return new ElementRun.OfRanks(set.size() - run.first() - run.count(), run.count());
    }

    /** From the first member that begins the run, while members continue it; ranks count in the direction. */
    private static ElementRun.OfRanks run(
            SortedSet set, Direction direction, Predicate<Bytes> begins, Predicate<Bytes> goesOn) {
        long first = 0;
        long count = 0;
        long from = direction == Direction.FORWARD ? 0 : set.size() - 1;
        try (ElementCursor cursor = set.index().from(from, direction, Long.MAX_VALUE)) {
            while (cursor.next()) {
                if (count == 0 && !begins.test(cursor.member())) {
                    first++;
                } else if (goesOn.test(cursor.member())) {
                    count++;
                } else {
                    break;
                }
            }
        }
        return new ElementRun.OfRanks(first, count);
    }
}
