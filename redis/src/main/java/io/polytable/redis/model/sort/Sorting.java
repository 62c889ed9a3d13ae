package io.polytable.redis.model.sort;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.change.EventClass;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.list.Lists;
import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.set.Sets;
import io.polytable.redis.model.zset.ElementRange;
import io.polytable.redis.model.zset.Selection;
import io.polytable.redis.model.zset.SortedSets;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * SORT: orders the elements of a list, set or sorted set. All elements are in memory while they are sorted, charged to
 * the read budget. The sort is stable.
 */
public final class Sorting {
    /** The memory of a value to get: its slot in a list of values, and in one of replies. */
    private static final int VALUE_BYTES = 64;

    private static final int SHORT_BYTES = 256;

    private static final KeyEvent SORTSTORE = new KeyEvent(EventClass.LIST, "sortstore");

    private final Lists lists;
    private final Sets sets;
    private final SortedSets sortedSets;

    public Sorting(Lists lists, Sets sets, SortedSets sortedSets) {
        this.lists = lists;
        this.sets = sets;
        this.sortedSets = sortedSets;
    }

    /** An element with its weight. */
    private record Weighed(Bytes element, double number, Optional<Bytes> text) {}

    /**
     * The elements, or the values to get for each, in order.
     *
     * @throws RedisError when the key holds a type without elements to order, or a weight is no number
     */
    public List<Optional<Bytes>> sort(Space space, Bytes key, SortQuery query) {
        return got(space, ordered(space, key, query, false), query.gets());
    }

    /** Replaces the target by a list of what {@link #sort} answers, empty where that is absent; answers its size. */
    public long store(Space space, Bytes key, SortQuery query, Bytes target) {
        List<Bytes> values = new ArrayList<>();
        for (Optional<Bytes> value : got(space, ordered(space, key, query, true), query.gets())) {
            values.add(value.orElse(Bytes.EMPTY));
        }
        lists.store(space, target, values, SORTSTORE);
        return values.size();
    }

    private static List<Optional<Bytes>> got(Space space, List<Bytes> elements, List<SortPattern> gets) {
        // The values themselves are charged when they are read.
        space.keep((long) VALUE_BYTES * elements.size() * gets.size());
        List<Optional<Bytes>> values = new ArrayList<>();
        for (Bytes element : elements) {
            if (gets.isEmpty()) {
                values.add(Optional.of(element));
            }
            for (SortPattern get : gets) {
                Optional<Bytes> value = get.value(space, element);
                keep(space, value, element);
                values.add(value);
            }
        }
        return values;
    }

    /** Short values are charged only here: most short rows are decoded and dropped. */
    @SuppressWarnings("ReferenceEquality") // the element itself, as it was read, is charged already
    private static void keep(Space space, Optional<Bytes> value, Bytes element) {
        if (value.isPresent() && value.get() != element) {
            space.keep(Math.min(value.get().length(), SHORT_BYTES));
        }
    }

    private List<Bytes> ordered(Space space, Bytes key, SortQuery query, boolean storing) {
        Optional<Header> header = space.header(key);
        if (header.isEmpty()) {
            space.missed(key);
            return List.of();
        }
        Type type = header.get().type();
        if (type != Type.LIST && type != Type.SET && type != Type.ZSET) {
            throw RedisError.WRONG_TYPE;
        }
        long size = ((CollectionHeader) header.get()).size();
        Span span = Span.of(query, size);
        if (query.keepsOrder() && type != Type.SET) {
            return span.isEmpty() ? List.of() : inStoredOrder(space, key, type, span, size, query.reversed());
        }
        List<Bytes> all = elements(space, key, type);
        if (query.keepsOrder() && !storing) {
            return span.of(all);
        }
        return span.of(sorted(space, all, query.keepsOrder() ? query.orderedByText() : query, storing));
    }

    /** The indexes that LIMIT selects, {@code end} exclusive. */
    private record Span(long first, long end) {
        static Span of(SortQuery query, long size) {
            long first = Math.min(Math.max(query.offset(), 0), size);
            long end = query.count() < 0 ? size : Math.min(size, first + Math.min(query.count(), size));
            return new Span(first, end);
        }

        boolean isEmpty() {
            return first >= end;
        }

        List<Bytes> of(List<Bytes> all) {
            return isEmpty() ? List.of() : all.subList((int) first, (int) end);
        }
    }

    /** A part of the elements in stored order; reads only that part. */
    private List<Bytes> inStoredOrder(Space space, Bytes key, Type type, Span span, long size, boolean reversed) {
        if (type == Type.ZSET) {
            Direction direction = reversed ? Direction.REVERSE : Direction.FORWARD;
            return members(space, key, Selection.all(new ElementRange.Ranks(span.first, span.end - 1), direction));
        }
        if (!reversed) {
            return lists.range(space, key, span.first, span.end - 1);
        }
        List<Bytes> part = new ArrayList<>(lists.range(space, key, size - span.end, size - span.first - 1));
        Collections.reverse(part);
        return part;
    }

    private List<Bytes> elements(Space space, Bytes key, Type type) {
        return switch (type) {
            case LIST -> lists.range(space, key, 0, -1);
            case SET -> sets.members(space, key);
            case ZSET -> members(space, key, Selection.all(new ElementRange.Ranks(0, -1), Direction.FORWARD));
            case STRING, HASH, STREAM -> throw RedisError.WRONG_TYPE;
        };
    }

    private List<Bytes> members(Space space, Bytes key, Selection selection) {
        return sortedSets.select(space, key, selection).stream()
                .map(Element::member)
                .toList();
    }

    private static List<Bytes> sorted(Space space, List<Bytes> elements, SortQuery query, boolean storing) {
        List<Weighed> weighed = new ArrayList<>(elements.size());
        boolean allNumbers = true;
        for (Bytes element : elements) {
            Optional<Bytes> weight =
                    query.by().isPresent() ? query.by().get().value(space, element) : Optional.of(element);
            if (query.byText()) {
                keep(space, weight, element);
            }
            OptionalDouble number = query.byText() ? OptionalDouble.of(0) : number(weight);
            allNumbers &= number.isPresent();
            weighed.add(new Weighed(element, number.orElse(0), query.byText() ? weight : Optional.empty()));
        }
        if (!allNumbers) {
            throw new RedisError("One or more scores can't be converted into double");
        }
        Comparator<Weighed> order = query.byText() ? byText(storing) : byNumber();
        weighed.sort(query.reversed() ? order.reversed() : order);
        return weighed.stream().map(Weighed::element).toList();
    }

    private static OptionalDouble number(Optional<Bytes> weight) {
        return weight.isPresent() ? Numbers.parseInRange(weight.get()) : OptionalDouble.of(0);
    }

    /** Both zeros are equal, and elements of equal weight are ordered by their bytes. */
    private static Comparator<Weighed> byNumber() {
        return Comparator.<Weighed>comparingDouble(each -> each.number() + 0.0).thenComparing(Weighed::element);
    }

    /** Absent texts come first. STORE compares all bytes, a reply compares as C compares texts. */
    private static Comparator<Weighed> byText(boolean storing) {
        return (one, other) -> {
            if (one.text.isEmpty() || other.text.isEmpty()) {
                return Boolean.compare(one.text.isPresent(), other.text.isPresent());
            }
            Bytes left = one.text.get();
            Bytes right = other.text.get();
            return storing ? left.compareTo(right) : upToZero(left).compareTo(upToZero(right));
        };
    }

    private static Bytes upToZero(Bytes text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.at(i) == 0) {
                return text.slice(0, i);
            }
        }
        return text;
    }
}
