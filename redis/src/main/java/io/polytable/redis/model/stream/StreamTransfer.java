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
import java.util.Optional;
import java.util.OptionalLong;

/** Reads a whole stream from its rows, and writes one. */
public final class StreamTransfer {
    /** The contents of the stream at the key, if it exists. */
    public Optional<StreamContents> read(Space space, Bytes key) {
        return OpenStream.find(space, key).map(StreamTransfer::read);
    }

    private static StreamContents read(OpenStream stream) {
        StreamMeta meta = stream.meta();
        return new StreamContents(nodes(stream), meta.last(), meta.maxDeleted(), meta.added(), groups(stream));
    }

    private static List<NodeContents> nodes(OpenStream stream) {
        List<StreamNode> nodes = new ArrayList<>();
        try (Cursor cursor = stream.rows().nodes().scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (cursor.next()) {
                StreamId first = StreamRows.id(stream.rows().nodes().sub(cursor));
                nodes.add(StreamNode.decode(first, cursor.value()));
            }
        }
        StreamNode tail = stream.meta().tail();
        if (tail != null) {
            nodes.add(tail);
        }
        List<NodeContents> contents = new ArrayList<>();
        for (StreamNode node : nodes) {
            List<StreamEntry> entries =
                    Streams.entries(stream, node.first(), node.last(), Direction.FORWARD, Long.MAX_VALUE);
            if (!entries.isEmpty()) {
                List<Bytes> names = NodeContents.names(entries.get(0));
                contents.add(new NodeContents(node.first(), node.last(), node.dead(), node.bytes(), names, entries));
            }
        }
        return contents;
    }

    private static List<GroupContents> groups(OpenStream stream) {
        List<GroupContents> groups = new ArrayList<>();
        try (Cursor cursor = stream.rows().groups().scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (cursor.next()) {
                Bytes name = stream.rows().groups().sub(cursor);
                OpenGroup.find(stream, name).ifPresent(group -> groups.add(group(group)));
            }
        }
        return groups;
    }

    private static GroupContents group(OpenGroup group) {
        List<Pending> pending = new ArrayList<>();
        try (Cursor cursor = group.pendingFrom(StreamId.MIN)) {
            while (cursor.next()) {
                pending.add(group.pendingAt(cursor));
            }
        }
        Group known = group.group();
        return new GroupContents(
                known.name(), known.last(), OptionalLong.of(known.read()), pending, Groups.consumers(group));
    }

    /** Replaces whatever the key held by this stream. */
    public void write(Space space, Bytes key, StreamContents contents) {
        CollectionHeader header = space.newCollection(key, Type.STREAM);
        StreamRows rows = StreamRows.of(space, header);
        List<StreamNode> nodes = new ArrayList<>();
        long length = 0;
        StreamId first = StreamId.MIN;
        for (NodeContents node : contents.nodes()) {
            for (StreamEntry entry : node.entries()) {
                rows.entries().put(entry.id().bytes(), StreamEntry.encode(entry.fields()));
            }
            if (!node.entries().isEmpty()) {
                first = length == 0 ? node.entries().get(0).id() : first;
                length += node.entries().size();
                nodes.add(StreamNode.of(
                        node.first(), node.last(), node.entries().size(), node.dead(), node.bytes(), node.names()));
            }
        }
        StreamNode tail = nodes.isEmpty() ? null : nodes.remove(nodes.size() - 1);
        nodes.forEach(node -> rows.nodes().put(node.first().bytes(), node.row()));
        StreamMeta meta =
                new StreamMeta(first, contents.last(), contents.maxDeleted(), contents.added(), nodes.size(), tail);
        space.put(key, header.withSize(length).withFields(meta.encode()));
        OpenStream stream = OpenStream.findOrNew(space, key);
        contents.groups().forEach(group -> write(stream, group));
    }

    private static void write(OpenStream stream, GroupContents group) {
        StreamRows rows = stream.rows();
        StreamId oldest = StreamId.MAX;
        StreamId newest = StreamId.MIN;
        for (Pending pending : group.pending()) {
            rows.pending().put(StreamRows.ofPending(group.name(), pending.id()), pending.row());
            rows.owned().put(StreamRows.ofOwned(group.name(), pending.consumer(), pending.id()), Bytes.EMPTY);
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
                stream.space().nowMillis(),
                group.consumers().size(),
                pending,
                pending == 0 ? StreamId.MIN : oldest,
                newest);
        rows.groups().put(group.name(), written.row());
    }
}
