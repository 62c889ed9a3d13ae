package io.polytable.redis.model.dump;

import io.polytable.redis.model.dump.StreamReader.Counters;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.packing.MalformedPacking;
import io.polytable.redis.model.packing.Ziplist;
import io.polytable.redis.model.set.SetForm;
import io.polytable.redis.model.stream.StreamContents;
import io.polytable.redis.model.stream.StreamContents.NodeContents;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * A value of any size that is read part by part from a file. A packed collection is one string of the file and is read
 * whole; of all others no more than a part is in memory. Duplicates within a part are refused here; who writes the parts
 * notices those between parts, since fewer elements are added than came.
 */
public final class ValueParts {
    private static final int ELEMENTS_MAX = 1024;
    private static final int BYTES_MAX = 1 << 20;

    private final ValueInput in;
    private final ValueReader values;
    private final ValueType type;
    private final StreamReader stream;
    private boolean isBegun;
    private boolean isDone;

    /** Elements or nodes of a list that were not read yet. */
    private long left;

    /** Whether a stream's counters were read. */
    private boolean counted;

    private ValueParts(ValueInput in, ValueType type) {
        this.in = in;
        this.type = type;
        this.values = new ValueReader(in);
        this.stream = new StreamReader(in, type);
    }

    /**
     * A value whose type is known and whose first byte is next.
     *
     * @throws MalformedPacking when there is no such type
     */
    public static ValueParts of(int typeTag, ValueInput in) {
        return new ValueParts(in, ValueType.ofTag(typeTag));
    }

    /** Whether the whole value was read. */
    public boolean isDone() {
        return isDone;
    }

    /**
     * The next part of a value that is not done.
     *
     * @throws MalformedPacking when it is none
     */
    public ValuePart next() {
        in.nextPart();
        if (!isBegun) {
            isBegun = true;
            return first();
        }
        return isStream() ? nextOfStream() : new ValuePart.More(elements());
    }

    private boolean isStream() {
        return type == ValueType.STREAM || type == ValueType.STREAM_2 || type == ValueType.STREAM_3;
    }

    private ValuePart first() {
        if (isStream()) {
            stream.begin();
            return new ValuePart.First(
                    new DumpedValue.OfStream(new StreamContents(List.of(), StreamId.MIN, StreamId.MIN, 0, List.of())));
        }
        switch (type) {
            case LIST, SET, LIST_QUICKLIST -> left = in.count(1);
            case HASH, ZSET, ZSET_OF_TEXTS, LIST_QUICKLIST_2 -> left = in.count(2);
            default -> {
                isDone = true;
                return new ValuePart.First(values.read(type));
            }
        }
        if (left == 0) {
            isDone = true;
            return new ValuePart.Nothing();
        }
        return new ValuePart.First(elements());
    }

    private DumpedValue elements() {
        DumpedValue part = switch (type) {
            case LIST -> ValueReader.list(strings(1));
            case SET -> values.set(SetForm.arranged(strings(1)));
            case HASH -> values.hash(strings(2));
            case ZSET -> values.sortedSet(scored(true));
            case ZSET_OF_TEXTS -> values.sortedSet(scored(false));
            case LIST_QUICKLIST, LIST_QUICKLIST_2 -> ValueReader.list(nodes());
            default -> throw new IllegalStateException("not read in parts: " + type);
        };
        isDone = left == 0;
        return part;
    }

    private List<Bytes> strings(int perElement) {
        List<Bytes> strings = new ArrayList<>();
        long bytes = 0;
        while (left > 0 && strings.size() < ELEMENTS_MAX * perElement && bytes < BYTES_MAX) {
            List<Bytes> element = values.strings(perElement);
            for (Bytes string : element) {
                bytes += string.length();
            }
            strings.addAll(element);
            left--;
        }
        return strings;
    }

    private List<Bytes> nodes() {
        List<Bytes> elements = new ArrayList<>();
        long bytes = 0;
        while (left > 0 && elements.size() < ELEMENTS_MAX && bytes < BYTES_MAX) {
            List<Bytes> node = type == ValueType.LIST_QUICKLIST ? Ziplist.read(in.string(), in.kept()) : values.node();
            for (Bytes element : node) {
                bytes += element.length();
            }
            elements.addAll(node);
            left--;
        }
        return elements;
    }

    private List<Element> scored(boolean binary) {
        List<Element> elements = new ArrayList<>();
        long bytes = 0;
        while (left > 0 && elements.size() < ELEMENTS_MAX && bytes < BYTES_MAX) {
            Element element = values.element(binary);
            bytes += element.member().length();
            elements.add(element);
            left--;
        }
        return elements;
    }

    private ValuePart nextOfStream() {
        if (stream.nodesLeft() > 0) {
            return new ValuePart.Nodes(streamNodes());
        }
        if (!counted) {
            counted = true;
            Counters counters = stream.counters();
            isDone = stream.groupsLeft() == 0;
            return new ValuePart.Counters(counters.last(), counters.maxDeleted(), counters.added());
        }
        ValuePart group = new ValuePart.Group(stream.group());
        isDone = stream.groupsLeft() == 0;
        return group;
    }

    private List<NodeContents> streamNodes() {
        List<NodeContents> nodes = new ArrayList<>();
        long entries = 0;
        long bytes = 0;
        while (stream.nodesLeft() > 0 && entries < ELEMENTS_MAX && bytes < BYTES_MAX) {
            NodeContents node = stream.node();
            entries += node.entries().size();
            bytes += node.bytes();
            nodes.add(node);
        }
        return nodes;
    }
}
