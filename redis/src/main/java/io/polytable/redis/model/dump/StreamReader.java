package io.polytable.redis.model.dump;

import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.packing.Listpack;
import io.polytable.redis.model.packing.MalformedPacking;
import io.polytable.redis.model.stream.Consumer;
import io.polytable.redis.model.stream.Pending;
import io.polytable.redis.model.stream.StreamContents;
import io.polytable.redis.model.stream.StreamContents.GroupContents;
import io.polytable.redis.model.stream.StreamContents.NodeContents;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongConsumer;

/** Decodes a stream: its nodes, each a listpack of entries, then its counters, then its groups. */
final class StreamReader {
    private static final int DELETED = 1;
    private static final int SAME_FIELDS = 2;

    /** The heap size during decoding: a few objects, and an entry in one or two maps. */
    private static final int PENDING_BYTES = 200;

    private static final int CONSUMER_BYTES = 100;
    private static final int GROUP_BYTES = 500;

    private final ValueInput in;
    private final boolean hasCounters;
    private final boolean hasActiveTimes;
    private final Set<Bytes> groupNames = new HashSet<>();
    private long nodesLeft;
    private long groupsLeft;
    private long entries;
    private StreamId lastOfNodes = StreamId.MIN;

    StreamReader(ValueInput in, ValueType type) {
        this.in = in;
        this.hasCounters = type != ValueType.STREAM;
        this.hasActiveTimes = type == ValueType.STREAM_3;
    }

    /** All of it. */
    StreamContents read() {
        List<NodeContents> nodes = new ArrayList<>();
        begin();
        while (nodesLeft > 0) {
            nodes.add(node());
        }
        Counters counters = counters();
        List<GroupContents> groups = new ArrayList<>();
        while (groupsLeft > 0) {
            groups.add(group());
        }
        return new StreamContents(nodes, counters.last(), counters.maxDeleted(), counters.added(), groups);
    }

    /** The numbers after the nodes. */
    record Counters(StreamId last, StreamId maxDeleted, long added) {}

    /** Reads the number of nodes. Then come {@link #node()} for each, {@link #counters()}, {@link #group()} for each. */
    void begin() {
        nodesLeft = in.count(2);
    }

    long nodesLeft() {
        return nodesLeft;
    }

    NodeContents node() {
        nodesLeft--;
        Bytes key = in.string();
        if (key.length() != StreamId.BYTES) {
            throw new MalformedPacking("a node's id is too short");
        }
        NodeContents node = new Node(StreamId.at(key, 0), lastOfNodes, in.string(), in.kept()).read();
        lastOfNodes = node.last();
        entries += node.entries().size();
        return node;
    }

    Counters counters() {
        long length = in.length();
        if (length != entries) {
            throw new MalformedPacking("a stream's length is wrong");
        }
        StreamId last = in.id();
        StreamId maxDeleted = StreamId.MIN;
        long added = length;
        if (hasCounters) {
            StreamId unusedFirst = in.id();
            maxDeleted = in.id();
            added = in.length();
        }
        if (added < 0 || lastOfNodes.isAfter(last)) {
            throw new MalformedPacking("a stream's last id is wrong");
        }
        groupsLeft = in.count(4);
        return new Counters(last, maxDeleted, added);
    }

    long groupsLeft() {
        return groupsLeft;
    }

    /** The listpack of one node. */
    private static final class Node {
        private final StreamId first;
        private final long bytes;
        private final List<Bytes> values;
        private StreamId last;
        private int at;

        Node(StreamId first, StreamId before, Bytes packed, LongConsumer kept) {
            this.first = first;
            this.last = before;
            this.bytes = packed.length();
            this.values = Listpack.read(packed, kept);
        }

        NodeContents read() {
            long live = count();
            long dead = count();
            List<Bytes> names = take(count());
            if (number() != 0) {
                throw new MalformedPacking("a node's first entry does not end");
            }
            List<StreamEntry> entries = new ArrayList<>();
            long gone = 0;
            for (long i = 0; i < live + dead; i++) {
                long flags = number();
                StreamEntry entry = entry(names, (flags & SAME_FIELDS) != 0);
                if ((flags & DELETED) != 0) {
                    gone++;
                } else {
                    entries.add(entry);
                }
            }
            if (gone != dead || at != values.size()) {
                throw new MalformedPacking("a node's counts are wrong");
            }
            return new NodeContents(first, last, dead, bytes, names, entries);
        }

        private StreamEntry entry(List<Bytes> names, boolean sameFields) {
            StreamId id = new StreamId(first.millis() + number(), first.sequence() + number());
            if (!id.isAfter(last)) {
                throw new MalformedPacking("entries are not in order");
            }
            last = id;
            List<Bytes> fields = new ArrayList<>();
            if (sameFields) {
                for (Bytes name : names) {
                    fields.add(name);
                    fields.add(next());
                }
            } else {
                fields = take(2 * count());
            }
            long parts = sameFields ? names.size() + 3L : fields.size() + 4L;
            if (fields.isEmpty() || number() != parts) {
                throw new MalformedPacking("an entry's size is wrong");
            }
            return new StreamEntry(id, fields);
        }

        private Bytes next() {
            if (at == values.size()) {
                throw new MalformedPacking("a node ends too early");
            }
            return values.get(at++);
        }

        private long number() {
            return Numbers.parseLong(next()).orElseThrow(() -> new MalformedPacking("a number is none"));
        }

        /** A count, at most the number of values. */
        private long count() {
            long count = number();
            if (count < 0 || count > values.size()) {
                throw new MalformedPacking("a count is too large");
            }
            return count;
        }

        private List<Bytes> take(long count) {
            if (count > values.size() - at) {
                throw new MalformedPacking("a node ends too early");
            }
            at += (int) count;
            return values.subList(at - (int) count, at);
        }
    }

    GroupContents group() {
        groupsLeft--;
        in.kept().accept(GROUP_BYTES);
        Bytes name = in.string();
        StreamId last = in.id();
        OptionalLong read = hasCounters ? OptionalLong.of(in.length()) : OptionalLong.empty();
        Map<StreamId, Delivery> deliveries = deliveries();
        List<Consumer> consumers = new ArrayList<>();
        List<Pending> pending = new ArrayList<>();
        readConsumers(deliveries, consumers, pending);
        if (!groupNames.add(name) || pending.size() != deliveries.size()) {
            throw new MalformedPacking("a group is there twice, or an entry in it nobody's");
        }
        return new GroupContents(name, last, read, pending, consumers);
    }

    private record Delivery(long millis, long count) {}

    private Map<StreamId, Delivery> deliveries() {
        Map<StreamId, Delivery> deliveries = new HashMap<>();
        for (long left = in.count(StreamId.BYTES + Long.BYTES + 1); left > 0; left--) {
            in.kept().accept(PENDING_BYTES);
            StreamId id = in.rawId();
            Delivery delivery = new Delivery(in.millis(), in.length());
            if (delivery.millis < 0 || delivery.count < 0 || deliveries.put(id, delivery) != null) {
                throw new MalformedPacking("a pending entry is wrong or there twice");
            }
        }
        return deliveries;
    }

    private void readConsumers(Map<StreamId, Delivery> deliveries, List<Consumer> consumers, List<Pending> pending) {
        Set<Bytes> names = new HashSet<>();
        Set<StreamId> owned = new HashSet<>();
        for (long left = in.count(Long.BYTES + 2); left > 0; left--) {
            in.kept().accept(CONSUMER_BYTES);
            Bytes name = in.string();
            long seen = in.millis();
            long active = hasActiveTimes ? in.millis() : seen;
            long count = in.count(StreamId.BYTES);
            for (long i = 0; i < count; i++) {
                StreamId id = in.rawId();
                Delivery delivery = deliveries.get(id);
                if (delivery == null || !owned.add(id)) {
                    throw new MalformedPacking("a consumer owns what is not pending, or another's");
                }
                pending.add(new Pending(id, name, delivery.millis, delivery.count));
            }
            if (!names.add(name)) {
                throw new MalformedPacking("a consumer is there twice");
            }
            consumers.add(new Consumer(name, seen, active, count));
        }
    }
}
