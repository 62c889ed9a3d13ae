package io.polytable.redis.model;

import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.List;

/** From what a client asks for to the run of elements that it comes down to. */
final class Spans {
    private Spans() {}

    /** The direction matters only where members are asked for in a set of several scores. */
    static Span of(SortedSet set, ElementRange range, Direction direction) {
        if (range instanceof ElementRange.Ranks ranks) {
            return ofRanks(ranks, set.size(), direction);
        }
        if (range instanceof ElementRange.Scores scores) {
            return new Span.OfPlaces(scores.min().asLower(), scores.max().asUpper());
        }
        return ofMembers(set, (ElementRange.Members) range, direction);
    }

    /** Against the order, ranks count from the last element. */
    private static Span ofRanks(ElementRange.Ranks ranks, long size, Direction direction) {
        long first = Math.max(0, ranks.first() < 0 ? ranks.first() + size : ranks.first());
        long last = Math.min(size - 1, ranks.last() < 0 ? ranks.last() + size : ranks.last());
        if (first > last || first >= size) {
            return Span.NOTHING;
        }
        long count = last - first + 1;
        return new Span.OfRanks(direction == Direction.FORWARD ? first : size - 1 - last, count);
    }

    /**
     * Ranges of members mean something only where all scores are equal. Where they are not, Redis compares members all
     * the same: in a small set by stepping from the end where it begins, which is done here too. In a large set its
     * answer depends on its dice; here it is all from the bound among the lowest score to that among the highest.
     */
    private static Span ofMembers(SortedSet set, ElementRange.Members range, Direction direction) {
        double lowest = scoreAt(set, 0);
        double highest = scoreAt(set, set.size() - 1);
        if (lowest != highest && !set.isWide()) {
            return byStepping(set, range, direction);
        }
        return new Span.OfPlaces(range.min().asLower(lowest), range.max().asUpper(highest));
    }

    private static double scoreAt(SortedSet set, long rank) {
        Direction direction = rank == 0 ? Direction.FORWARD : Direction.REVERSE;
        try (ElementCursor cursor = set.index().from(rank, direction, 1)) {
            return cursor.next() ? cursor.score() : 0;
        }
    }

    private static Span byStepping(SortedSet set, ElementRange.Members range, Direction direction) {
        List<Bytes> members = new ArrayList<>();
        try (ElementCursor cursor = set.index().from(0, Direction.FORWARD, Long.MAX_VALUE)) {
            while (cursor.next()) {
                members.add(cursor.member());
            }
        }
        boolean overlaps = range.min().isAtOrBefore(members.get(members.size() - 1))
                && range.max().isAtOrBehind(members.get(0));
        if (!overlaps || isEmpty(range)) {
            return Span.NOTHING;
        }
        return direction == Direction.FORWARD ? stepUp(members, range) : stepDown(members, range);
    }

    private static boolean isEmpty(ElementRange.Members range) {
        return range.min().asLower(0).compareTo(range.max().asUpper(0)) >= 0;
    }

    private static Span stepUp(List<Bytes> members, ElementRange.Members range) {
        int first = 0;
        while (first < members.size() && !range.min().isAtOrBefore(members.get(first))) {
            first++;
        }
        int end = first;
        while (end < members.size() && range.max().isAtOrBehind(members.get(end))) {
            end++;
        }
        return new Span.OfRanks(first, end - first);
    }

    private static Span stepDown(List<Bytes> members, ElementRange.Members range) {
        int last = members.size() - 1;
        while (last >= 0 && !range.max().isAtOrBehind(members.get(last))) {
            last--;
        }
        int before = last;
        while (before >= 0 && range.min().isAtOrBefore(members.get(before))) {
            before--;
        }
        return new Span.OfRanks(before + 1, last - before);
    }
}
