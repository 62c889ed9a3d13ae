package io.polytable.redis.model.dump;

import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.order.SortKeys;
import io.polytable.redis.model.packing.IntSet;
import io.polytable.redis.model.packing.Listpack;
import io.polytable.redis.model.packing.MalformedPacking;
import io.polytable.redis.model.packing.Ziplist;
import io.polytable.redis.model.packing.Zipmap;
import io.polytable.redis.model.set.SetForm;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Decodes a value in any encoding that Redis has had for it. It is as strict as Redis with
 * {@code sanitize-dump-payload yes}: nothing twice, nothing empty, every size true. As in Redis, bytes after the value
 * are ignored.
 */
final class ValueReader {
    /** A list's node that is one element. */
    private static final int PLAIN_NODE = 1;

    private static final int PACKED_NODE = 2;

    private final ValueInput in;

    ValueReader(ValueInput in) {
        this.in = in;
    }

    /**
     * Decodes a type and a value.
     *
     * @param kept called before each value is created, with its bytes that are not part of the payload
     * @throws MalformedPacking when they are none
     */
    static DumpedValue read(Bytes typeAndValue, LongConsumer kept) {
        ValueInput in = new ValueInput(typeAndValue, kept);
        return new ValueReader(in).read(ValueType.ofTag(in.next()));
    }

    /** The whole value of the type. */
    DumpedValue read(ValueType type) {
        return switch (type) {
            case STRING -> new DumpedValue.OfString(in.string());
            case LIST -> list(strings(in.count(1)));
            case LIST_ZIPLIST -> list(Ziplist.read(in.string(), in.kept()));
            case LIST_QUICKLIST -> list(ziplists());
            case LIST_QUICKLIST_2 -> list(nodes());
            case SET -> set(SetForm.arranged(strings(in.count(1))));
            case SET_INTSET -> set(IntSet.read(in.string(), in.kept()));
            case SET_LISTPACK -> set(Listpack.read(in.string(), in.kept()));
            case HASH -> hash(strings(2 * in.count(2)));
            case HASH_ZIPMAP -> hash(Zipmap.read(in.string(), in.kept()));
            case HASH_ZIPLIST -> hash(Ziplist.read(in.string(), in.kept()));
            case HASH_LISTPACK -> hash(Listpack.read(in.string(), in.kept()));
            case ZSET -> sortedSet(scored(true));
            case ZSET_OF_TEXTS -> sortedSet(scored(false));
            case ZSET_ZIPLIST -> sortedSet(scored(Ziplist.read(in.string(), in.kept())));
            case ZSET_LISTPACK -> sortedSet(scored(Listpack.read(in.string(), in.kept())));
            case STREAM, STREAM_2, STREAM_3 -> new DumpedValue.OfStream(new StreamReader(in, type).read());
        };
    }

    List<Bytes> strings(long count) {
        List<Bytes> strings = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            strings.add(in.string());
        }
        return strings;
    }

    private List<Bytes> ziplists() {
        List<Bytes> elements = new ArrayList<>();
        for (long left = in.count(1); left > 0; left--) {
            elements.addAll(Ziplist.read(in.string(), in.kept()));
        }
        return elements;
    }

    private List<Bytes> nodes() {
        List<Bytes> elements = new ArrayList<>();
        for (long left = in.count(2); left > 0; left--) {
            elements.addAll(node());
        }
        return elements;
    }

    /** The elements of a list's node. */
    List<Bytes> node() {
        long container = in.length();
        if (container == PLAIN_NODE) {
            return List.of(in.string());
        }
        if (container == PACKED_NODE) {
            return Listpack.read(in.string(), in.kept());
        }
        throw new MalformedPacking("a list's node is of an unknown kind");
    }

    static DumpedValue list(List<Bytes> elements) {
        checkNotEmpty(elements);
        return new DumpedValue.OfList(elements);
    }

    DumpedValue set(List<Bytes> members) {
        checkNotEmpty(members);
        checkDistinct(members, 1);
        return new DumpedValue.OfSet(members);
    }

    DumpedValue hash(List<Bytes> pairs) {
        checkNotEmpty(pairs);
        checkPairs(pairs);
        checkDistinct(pairs, 2);
        return new DumpedValue.OfHash(pairs);
    }

    private static void checkNotEmpty(List<Bytes> elements) {
        if (elements.isEmpty()) {
            throw new MalformedPacking("a collection is empty");
        }
    }

    private static void checkPairs(List<Bytes> pairs) {
        if (pairs.size() % 2 != 0) {
            throw new MalformedPacking("something has no value");
        }
    }

    /** Checks every step-th element. */
    private void checkDistinct(List<Bytes> elements, int step) {
        Set<Bytes> seen = new HashSet<>();
        for (int i = 0; i < elements.size(); i += step) {
            in.kept().accept(0);
            if (!seen.add(elements.get(i))) {
                throw new MalformedPacking("something is there twice");
            }
        }
    }

    private List<Element> scored(boolean binary) {
        List<Element> elements = new ArrayList<>();
        for (long left = in.count(2); left > 0; left--) {
            elements.add(element(binary));
        }
        return elements;
    }

    Element element(boolean binary) {
        Bytes member = in.string();
        in.kept().accept(0);
        return new Element(binary ? in.binaryDouble() : in.textDouble(), member);
    }

    private List<Element> scored(List<Bytes> pairs) {
        checkPairs(pairs);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            double score = Numbers.parseLeniently(pairs.get(i + 1))
                    .orElseThrow(() -> new MalformedPacking("a score is no number"));
            in.kept().accept(0);
            elements.add(new Element(score, pairs.get(i)));
        }
        return elements;
    }

    DumpedValue sortedSet(List<Element> elements) {
        List<Bytes> members = new ArrayList<>();
        for (Element element : elements) {
            if (Double.isNaN(element.score())) {
                throw new MalformedPacking("a score is no number");
            }
            members.add(element.member());
        }
        checkNotEmpty(members);
        checkDistinct(members, 1);
        List<Element> sorted = new ArrayList<>(elements);
        sorted.sort(Comparator.comparing(element -> SortKeys.of(element.score(), element.member())));
        return new DumpedValue.OfSortedSet(sorted);
    }
}
