package io.polytable.redis.model.zset;

import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.order.ElementCursor;
import io.polytable.redis.model.order.OrderRows;
import io.polytable.redis.model.row.RandomRows;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Random elements of a sorted set, picked by rank, so that all have the same chance in a set of any size. Few picks
 * from a large set are a seek each; many are found in one walk.
 */
public final class RandomElements {
    /** A pick by rank costs about as much as walking this many rows. */
    private static final long ROWS_PER_PICK = 128;

    private final Supplier<? extends Random> randoms;

    /** Asks for the source in each call, so that it may be thread-local. */
    public RandomElements(Supplier<? extends Random> randoms) {
        this.randoms = randoms;
    }

    public Optional<Element> one(Space space, Bytes key) {
        return SortedSets.open(space, key).map(set -> at(set, randoms.get().nextLong(set.size())));
    }

    /** Picks {@code count} different elements, or all when there are fewer. */
    public List<Element> distinct(Space space, Bytes key, long count) {
        Optional<SortedSet> present = SortedSets.open(space, key);
        if (present.isEmpty() || count == 0) {
            return List.of();
        }
        SortedSet set = present.get();
        if (set.size() / ROWS_PER_PICK <= count) {
            return sample(set, Math.min(count, set.size()));
        }
        Set<Long> ranks = new HashSet<>();
        Random random = randoms.get();
        while (ranks.size() < count) {
            ranks.add(random.nextLong(set.size()));
        }
        return ranks.stream().map(rank -> at(set, rank)).toList();
    }

    /** Selection sampling in one walk: takes each element with the chance (still wanted) / (still to come). */
    private List<Element> sample(SortedSet set, long count) {
        Random random = randoms.get();
        List<Element> picked = new ArrayList<>();
        long left = set.size();
        try (ElementCursor cursor = set.index().from(0, Direction.FORWARD, Long.MAX_VALUE)) {
            while (picked.size() < count && cursor.next()) {
                if (random.nextLong(left) < count - picked.size()) {
                    picked.add(cursor.element());
                }
                left--;
            }
        }
        return picked;
    }

    /** Makes exactly {@code count} independent picks. */
    public List<Element> repeating(Space space, Bytes key, long count) {
        Optional<SortedSet> present = SortedSets.open(space, key);
        if (present.isEmpty()) {
            return List.of();
        }
        space.keep(RandomRows.bytesOf(count));
        SortedSet set = present.get();
        long[] ranks = randoms.get().longs(count, 0, set.size()).toArray();
        if (set.size() / ROWS_PER_PICK > count) {
            return Arrays.stream(ranks).mapToObj(rank -> at(set, rank)).toList();
        }
        return walkTo(set, ranks);
    }

    /** Finds the ranks in one walk, and shuffles the result. */
    private List<Element> walkTo(SortedSet set, long[] ranks) {
        Arrays.sort(ranks);
        List<Element> picked = new ArrayList<>(ranks.length);
        try (ElementCursor cursor = set.index().from(0, Direction.FORWARD, Long.MAX_VALUE)) {
            for (long rank = 0; picked.size() < ranks.length && cursor.next(); rank++) {
                if (ranks[picked.size()] == rank) {
                    Element element = cursor.element();
                    while (picked.size() < ranks.length && ranks[picked.size()] == rank) {
                        picked.add(element);
                    }
                }
            }
        }
        Collections.shuffle(picked, randoms.get());
        return picked;
    }

    private static Element at(SortedSet set, long rank) {
        try (ElementCursor cursor = set.index().from(rank, Direction.FORWARD, 1)) {
            if (!cursor.next()) {
                throw OrderRows.damaged(set.id(), "Sorted set has fewer elements than its header counts");
            }
            return cursor.element();
        }
    }
}
