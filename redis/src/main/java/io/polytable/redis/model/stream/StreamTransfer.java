package io.polytable.redis.model.stream;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.stream.StreamContents.GroupContents;
import io.polytable.redis.model.stream.StreamContents.NodeContents;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.redis.model.stream.entry.StreamNode;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.List;

/** Reads a whole stream from its rows, and writes one, whole or in parts that each leave a valid stream. */
public final class StreamTransfer {
    /** Shows the stream to the visitor. */
    public void walk(Space space, CollectionHeader header, StreamVisitor visitor) {
        OpenStream stream = OpenStream.of(space, Bytes.EMPTY, header);
        StreamMeta meta = stream.meta();
        walkNodes(stream, visitor);
        visitor.counters(meta.last(), meta.maxDeleted(), meta.added());
        List<Bytes> names = groups(stream);
        visitor.groups(names.size());
        for (Bytes name : names) {
            OpenGroup.find(stream, name).ifPresent(group -> walkGroup(group, visitor));
        }
    }

    /** Shows all entries of the stream, oldest first. */
    public void eachEntry(Space space, CollectionHeader header, java.util.function.Consumer<StreamEntry> viewer) {
        OpenStream stream = OpenStream.of(space, Bytes.EMPTY, header);
        try (Cursor cursor = stream.entries(StreamId.MIN, StreamId.MAX, Direction.FORWARD, Long.MAX_VALUE)) {
            while (cursor.next()) {
                viewer.accept(stream.entry(cursor));
            }
        }
    }

    private static void walkNodes(OpenStream stream, StreamVisitor visitor) {
        StreamNode tail = stream.meta().tail();
        boolean hasTail = tail != null && tail.live() > 0;
        // A node without entries has no row, except the tail, which is none.
        visitor.nodes(stream.meta().nodes() + (hasTail ? 1 : 0));
        try (Cursor cursor = stream.rows().nodes().scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (cursor.next()) {
                StreamId first = StreamRows.id(stream.rows().nodes().sub(cursor));
                visitor.node(contents(stream, StreamNode.decode(first, cursor.value())));
            }
        }
        if (tail != null && hasTail) {
            visitor.node(contents(stream, tail));
        }
    }

    private static NodeContents contents(OpenStream stream, StreamNode node) {
        List<StreamEntry> entries =
                Streams.entries(stream, node.first(), node.last(), Direction.FORWARD, Long.MAX_VALUE);
        List<Bytes> names = entries.isEmpty() ? List.of() : NodeContents.names(entries.get(0));
        return new NodeContents(node.first(), node.last(), node.dead(), node.bytes(), names, entries);
    }

    private static List<Bytes> groups(OpenStream stream) {
        List<Bytes> names = new ArrayList<>();
        try (Cursor cursor = stream.rows().groups().scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (cursor.next()) {
                names.add(stream.rows().groups().sub(cursor));
            }
        }
        return names;
    }

    private static void walkGroup(OpenGroup group, StreamVisitor visitor) {
        visitor.group(group.group());
        try (Cursor cursor = group.pendingFrom(StreamId.MIN)) {
            while (cursor.next()) {
                visitor.pending(group.pendingAt(cursor));
            }
        }
        StreamRows rows = group.stream().rows();
        for (Consumer consumer : Groups.consumers(group)) {
            visitor.consumer(consumer);
            Bytes owner = StreamRows.ofOwner(group.group().name(), consumer.name());
            try (Cursor cursor =
                    rows.owned().scan(owner, owner.successorOfPrefix(), Direction.FORWARD, Long.MAX_VALUE)) {
                while (cursor.next()) {
                    visitor.owned(StreamRows.id(rows.owned().sub(cursor)));
                }
            }
        }
    }

    /** Replaces whatever the key held by this stream. */
    public void write(Space space, Bytes key, StreamContents contents) {
        begin(space, key);
        append(space, key, contents.nodes());
        setCounters(space, key, contents.last(), contents.maxDeleted(), contents.added());
        contents.groups().forEach(group -> {
            putPending(space, key, group.name(), group.pending());
            putGroup(space, key, group);
        });
    }

    /** Replaces whatever the key held by an empty stream. */
    public void begin(Space space, Bytes key) {
        OpenStream.of(space, key, space.newCollection(key, Type.STREAM)).save();
    }

    /** Appends nodes that Redis has made; their ids are higher than all before. */
    public void append(Space space, Bytes key, List<NodeContents> nodes) {
        OpenStream stream = OpenStream.findOrNew(space, key);
        for (NodeContents node : nodes) {
            if (!node.entries().isEmpty()) {
                stream.append(node);
            }
        }
        stream.save();
    }

    public void setCounters(Space space, Bytes key, StreamId last, StreamId maxDeleted, long added) {
        OpenStream stream = OpenStream.findOrNew(space, key);
        stream.meta(stream.meta().set(last, added, maxDeleted));
        stream.save();
    }

    /** Writes pending entries of a group that is {@link #putGroup put} after them. */
    public void putPending(Space space, Bytes key, Bytes group, List<Pending> entries) {
        StreamRows rows = OpenStream.findOrNew(space, key).rows();
        for (Pending pending : entries) {
            rows.pending().put(StreamRows.ofPending(group, pending.id()), pending.row());
            rows.owned().put(StreamRows.ofOwned(group, pending.consumer(), pending.id()), Bytes.EMPTY);
        }
    }

    /** Writes a group and its consumers; its pending entries are there. */
    public void putGroup(Space space, Bytes key, GroupContents group) {
        OpenStream stream = OpenStream.findOrNew(space, key);
        StreamRows rows = stream.rows();
        StreamId oldest = StreamId.MAX;
        StreamId newest = StreamId.MIN;
        for (Pending pending : group.pending()) {
            oldest = StreamId.min(oldest, pending.id());
            newest = StreamId.max(newest, pending.id());
        }
        for (Consumer consumer : group.consumers()) {
            rows.consumers().put(StreamRows.ofConsumer(group.name(), consumer.name()), consumer.row());
        }
        long read = group.read().orElseGet(() -> stream.addedUpTo(group.last()).orElse(Group.UNKNOWN));
        int pending = group.pending().size();
        Group written = new Group(
                group.name(),
                group.last(),
                read,
                space.nowMillis(),
                group.consumers().size(),
                pending,
                pending == 0 ? StreamId.MIN : oldest,
                newest);
        rows.groups().put(group.name(), written.row());
    }
}
