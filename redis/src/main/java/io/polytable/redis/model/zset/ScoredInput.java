package io.polytable.redis.model.zset;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.order.ElementCursor;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.row.Header;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** An operand of unions, intersections and differences: a sorted set, or a set, whose members all have score 1. */
sealed interface ScoredInput {
    long size();

    /** Walks over the elements while more are wanted; a caller that keeps one charges it. */
    void walk(Predicate<Element> wantsMore);

    default void forEach(Consumer<Element> action) {
        walk(element -> {
            action.accept(element);
            return true;
        });
    }

    /** NaN when the member is absent. */
    double score(Bytes member);

    /**
     * The value of the key.
     *
     * @throws RedisError WRONGTYPE when it is neither a sorted set nor a set
     */
    static ScoredInput of(Space space, Bytes key) {
        Optional<Header> header = space.header(key);
        if (header.isEmpty()) {
            space.missed(key);
            return new Nothing();
        }
        if (header.get() instanceof CollectionHeader collection) {
            if (collection.type() == Type.ZSET) {
                return new OfSortedSet(new SortedSet(space, key, collection));
            }
            if (collection.type() == Type.SET) {
                return new OfSet(space.elements(collection, ElementKind.SET_MEMBER), collection.size());
            }
        }
        throw RedisError.WRONG_TYPE;
    }

    /** An absent key. */
    record Nothing() implements ScoredInput {
        @Override
        public long size() {
            return 0;
        }

        @Override
        public void walk(Predicate<Element> wantsMore) {
            // There are no elements.
        }

        @Override
        public double score(Bytes member) {
            return Double.NaN;
        }
    }

    record OfSortedSet(SortedSet set) implements ScoredInput {
        @Override
        public long size() {
            return set.size();
        }

        @Override
        public void walk(Predicate<Element> wantsMore) {
            try (ElementCursor cursor = set.index().from(0, Direction.FORWARD, Long.MAX_VALUE)) {
                while (cursor.next() && wantsMore.test(cursor.elementUncharged())) {
                    // The test is the action.
                }
            }
        }

        @Override
        public double score(Bytes member) {
            return set.score(member);
        }
    }

    record OfSet(Elements members, long size) implements ScoredInput {
        @Override
        public void walk(Predicate<Element> wantsMore) {
            try (Cursor cursor = members.scan(Direction.FORWARD, Long.MAX_VALUE)) {
                while (cursor.next() && wantsMore.test(new Element(1, members.subUncharged(cursor)))) {
                    // The test is the action.
                }
            }
        }

        @Override
        public double score(Bytes member) {
            return members.get(member).isPresent() ? 1 : Double.NaN;
        }
    }
}
