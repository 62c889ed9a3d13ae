package io.polytable.redis.model.stream;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.stream.entry.RadixTree;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.redis.model.stream.entry.StreamNode;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** XINFO: reports on streams, groups and consumers. */
public final class StreamReports {
    /** Beyond this many nodes, the size of Redis' tree is extrapolated from the first ones. */
    private static final int NODES_COUNTED_MAX = 1000;

    /**
     * A stream.
     *
     * @param treeKeys the number of nodes of entries that Redis would have
     * @param treeNodes the number of nodes of the radix tree over them
     */
    public record OfStream(
            long length,
            long treeKeys,
            long treeNodes,
            StreamId last,
            StreamId maxDeleted,
            long added,
            StreamId first) {}

    /**
     * A group.
     *
     * @param lag the number of entries it has yet to deliver, where that can be derived
     */
    public record OfGroup(Group group, OptionalLong lag) {}

    /** A group with its pending entries, limited per group and per consumer. */
    public record FullGroup(OfGroup report, List<Pending> pending, List<FullConsumer> consumers) {}

    public record FullConsumer(Consumer consumer, List<Pending> pending) {}

    private static OpenStream open(Space space, Bytes key) {
        return OpenStream.find(space, key).orElseThrow(() -> RedisError.NO_SUCH_KEY);
    }

    /**
     * XINFO STREAM.
     *
     * @throws RedisError when there is no such key
     */
    public OfStream stream(Space space, Bytes key) {
        OpenStream stream = open(space, key);
        StreamMeta meta = stream.meta();
        return new OfStream(
                stream.length(),
                meta.allNodes(),
                treeNodes(stream),
                meta.last(),
                meta.maxDeleted(),
                meta.added(),
                meta.first());
    }

    private static long treeNodes(OpenStream stream) {
        StreamMeta meta = stream.meta();
        List<Bytes> keys = new ArrayList<>();
        try (Cursor cursor = stream.rows().nodes().scan(Direction.FORWARD, NODES_COUNTED_MAX)) {
            while (cursor.next()) {
                keys.add(stream.rows().nodes().sub(cursor));
            }
        }
        StreamNode tail = meta.tail();
        if (tail != null && keys.size() < NODES_COUNTED_MAX) {
            keys.add(tail.first().bytes());
        }
        long counted = RadixTree.nodes(keys);
        return keys.size() < NODES_COUNTED_MAX ? counted : Math.round((double) counted / keys.size() * meta.allNodes());
    }

    /** The number of groups of the stream. */
    public long groupCount(Space space, Bytes key) {
        return groups(space, key).size();
    }

    /** The groups of the stream, by name. */
    public List<OfGroup> groups(Space space, Bytes key) {
        OpenStream stream = open(space, key);
        List<OfGroup> groups = new ArrayList<>();
        try (Cursor cursor = stream.rows().groups().scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (cursor.next()) {
                Group group = Group.decode(stream.rows().groups().sub(cursor), cursor.value());
                groups.add(new OfGroup(group, lag(stream, group)));
            }
        }
        return groups;
    }

    private static OptionalLong lag(OpenStream stream, Group group) {
        long added = stream.meta().added();
        if (added == 0) {
            return OptionalLong.of(0);
        }
        if (group.read() != Group.UNKNOWN && !stream.hasHolesFrom(group.last())) {
            return OptionalLong.of(added - group.read());
        }
        OptionalLong read = stream.addedUpTo(group.last());
        return read.isPresent() ? OptionalLong.of(added - read.getAsLong()) : read;
    }

    /**
     * The consumers of a group.
     *
     * @throws RedisError when there is no such key or group
     */
    public List<Consumer> consumers(Space space, Bytes key, Bytes group) {
        OpenStream stream = open(space, key);
        return Groups.consumers(OpenGroup.find(stream, group).orElseThrow(() -> Groups.noSuchGroup(key, group)));
    }

    /** All groups with up to {@code count} pending entries each; zero for all. */
    public List<FullGroup> fullGroups(Space space, Bytes key, long count) {
        OpenStream stream = open(space, key);
        List<FullGroup> full = new ArrayList<>();
        for (OfGroup report : groups(space, key)) {
            OpenGroup group = OpenGroup.find(stream, report.group().name()).orElseThrow();
            List<FullConsumer> consumers = new ArrayList<>();
            for (Consumer consumer : Groups.consumers(group)) {
                consumers.add(new FullConsumer(consumer, pending(group, Optional.of(consumer.name()), count)));
            }
            full.add(new FullGroup(report, pending(group, Optional.empty(), count), consumers));
        }
        return full;
    }

    private static List<Pending> pending(OpenGroup group, Optional<Bytes> consumer, long count) {
        long most = count == 0 ? Long.MAX_VALUE : count;
        return Groups.pending(group, new Groups.PendingQuery(StreamId.MIN, StreamId.MAX, most, 0, consumer), 0);
    }
}
