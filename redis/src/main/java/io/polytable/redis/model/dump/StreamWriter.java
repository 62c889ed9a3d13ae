package io.polytable.redis.model.dump;

import io.polytable.redis.model.packing.Listpack;
import io.polytable.redis.model.stream.Consumer;
import io.polytable.redis.model.stream.Group;
import io.polytable.redis.model.stream.Pending;
import io.polytable.redis.model.stream.StreamContents.NodeContents;
import io.polytable.redis.model.stream.StreamVisitor;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.List;
import java.util.Map;

/** Encodes what {@link StreamReader} decodes. Deleted entries of a node are neither written nor counted. */
final class StreamWriter implements StreamVisitor {
    private static final int OTHER_FIELDS = 0;
    private static final int SAME_FIELDS = 2;

    private final ValueOutput out;
    private final boolean hasActiveTimes;
    private final Runnable pause;
    private long entries;
    private StreamId first = StreamId.MIN;

    /** Of the last group: its consumers follow when all its pending entries were written. */
    private long pendingLeft;

    private long consumers;

    /** @param pause called between pieces of which nothing is kept */
    StreamWriter(ValueOutput out, ValueType type, Runnable pause) {
        this.out = out;
        this.hasActiveTimes = type == ValueType.STREAM_3;
        this.pause = pause;
    }

    @Override
    public void nodes(long count) {
        out.length(count);
    }

    @Override
    public void node(NodeContents node) {
        if (node.entries().isEmpty()) {
            throw new StoreException(
                    StoreError.CORRUPT, "A stream's node has no entries", Map.of("node", node.first()));
        }
        out.string(node.first().bytes()).string(pack(node));
        first = entries == 0 ? node.entries().get(0).id() : first;
        entries += node.entries().size();
        pause.run();
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

    @Override
    public void counters(StreamId last, StreamId maxDeleted, long added) {
        out.length(entries).id(last).id(first).id(maxDeleted).length(added);
    }

    @Override
    public void groups(long count) {
        out.length(count);
    }

    @Override
    public void group(Group group) {
        out.string(group.name()).id(group.last()).length(group.read()).length(group.pending());
        pendingLeft = group.pending();
        consumers = group.consumers();
        endPending();
    }

    private void endPending() {
        if (pendingLeft == 0) {
            out.length(consumers);
        }
    }

    @Override
    public void pending(Pending entry) {
        out.rawId(entry.id()).millis(entry.deliveredMillis()).length(entry.deliveries());
        pendingLeft--;
        endPending();
        pause.run();
    }

    @Override
    public void consumer(Consumer consumer) {
        out.string(consumer.name()).millis(consumer.seenMillis());
        if (hasActiveTimes) {
            out.millis(consumer.activeMillis());
        }
        out.length(consumer.pending());
        pause.run();
    }

    @Override
    public void owned(StreamId id) {
        out.rawId(id);
        pause.run();
    }
}
