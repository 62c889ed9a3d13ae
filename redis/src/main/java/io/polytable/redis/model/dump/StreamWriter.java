package io.polytable.redis.model.dump;

import io.polytable.redis.model.packing.Listpack;
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
import java.util.List;
import java.util.Map;

/** Encodes what {@link StreamReader} decodes. Deleted entries of a node are neither written nor counted. */
final class StreamWriter {
    private static final int OTHER_FIELDS = 0;
    private static final int SAME_FIELDS = 2;

    private final ValueOutput out;
    private final boolean hasActiveTimes;

    StreamWriter(ValueOutput out, ValueType type) {
        this.out = out;
        this.hasActiveTimes = type == ValueType.STREAM_3;
    }

    void write(StreamContents stream) {
        out.length(stream.nodes().size());
        long length = 0;
        StreamId first = StreamId.MIN;
        for (NodeContents node : stream.nodes()) {
            out.string(node.first().bytes()).string(pack(node));
            first = length == 0 ? node.entries().get(0).id() : first;
            length += node.entries().size();
        }
        out.length(length).id(stream.last()).id(first).id(stream.maxDeleted()).length(stream.added());
        out.length(stream.groups().size());
        stream.groups().forEach(this::write);
    }

    private static Bytes pack(NodeContents node) {
        Listpack packed = new Listpack();
        packed.add(node.entries().size()).add(0).add(node.names().size());
        node.names().forEach(packed::add);
        packed.add(0);
        for (StreamEntry entry : node.entries()) {
            add(packed, node, entry);
        }
        return packed.toBytes();
    }

    private static void add(Listpack packed, NodeContents node, StreamEntry entry) {
        List<Bytes> fields = entry.fields();
        int count = fields.size() / 2;
        boolean same = NodeContents.names(entry).equals(node.names());
        packed.add(same ? SAME_FIELDS : OTHER_FIELDS)
                .add(entry.id().millis() - node.first().millis())
                .add(entry.id().sequence() - node.first().sequence());
        if (!same) {
            packed.add(count);
        }
        for (int i = 0; i < fields.size(); i++) {
            if (!same || i % 2 == 1) {
                packed.add(fields.get(i));
            }
        }
        packed.add(same ? count + 3L : 2L * count + 4);
    }

    private void write(GroupContents group) {
        out.string(group.name()).id(group.last()).length(group.read().orElse(-1));
        // Once for all consumers: the key's stripe is held, and both may be many.
        Map<Bytes, List<StreamId>> owned = new HashMap<>();
        out.length(group.pending().size());
        for (Pending pending : group.pending()) {
            out.rawId(pending.id()).millis(pending.deliveredMillis()).length(pending.deliveries());
            owned.computeIfAbsent(pending.consumer(), consumer -> new ArrayList<>())
                    .add(pending.id());
        }
        out.length(group.consumers().size());
        for (Consumer consumer : group.consumers()) {
            out.string(consumer.name()).millis(consumer.seenMillis());
            if (hasActiveTimes) {
                out.millis(consumer.activeMillis());
            }
            List<StreamId> ids = owned.getOrDefault(consumer.name(), List.of());
            out.length(ids.size());
            ids.forEach(out::rawId);
        }
    }
}
