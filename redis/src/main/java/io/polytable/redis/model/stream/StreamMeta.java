package io.polytable.redis.model.stream;

import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.redis.model.stream.entry.StreamNode;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import org.jspecify.annotations.Nullable;

/**
 * A stream's metadata in its header, besides the length.
 *
 * @param first the id of the first existing entry, 0-0 when there is none
 * @param last the highest id ever given
 * @param maxDeleted the highest id that XDEL removed
 * @param added the number of entries ever added
 * @param nodes the number of nodes with rows
 * @param tail the node that entries are added to; it has no row of its own, so that XADD need not write one
 */
public record StreamMeta(
        StreamId first,
        StreamId last,
        StreamId maxDeleted,
        long added,
        long nodes,
        @Nullable StreamNode tail) {
    private static final StreamMeta EMPTY = new StreamMeta(StreamId.MIN, StreamId.MIN, StreamId.MIN, 0, 0, null);

    public static StreamMeta decode(Bytes fields) {
        if (fields.isEmpty()) {
            return EMPTY;
        }
        BytesReader reader = new BytesReader(fields);
        StreamId first = StreamId.read(reader);
        StreamId last = StreamId.read(reader);
        StreamId maxDeleted = StreamId.read(reader);
        long added = reader.varint();
        long nodes = reader.varint();
        StreamNode tail = reader.remaining() == 0 ? null : StreamNode.read(StreamId.read(reader), reader);
        reader.end();
        return new StreamMeta(first, last, maxDeleted, added, nodes, tail);
    }

    Bytes encode() {
        BytesWriter writer = new BytesWriter(96);
        first.write(writer);
        last.write(writer);
        maxDeleted.write(writer);
        writer.varint(added).varint(nodes);
        if (tail != null) {
            tail.first().write(writer);
            tail.write(writer);
        }
        return writer.toBytes();
    }

    StreamMeta appended(StreamId newFirst, StreamId newLast, StreamNode newTail) {
        return new StreamMeta(newFirst, newLast, maxDeleted, added + 1, nodes, newTail);
    }

    StreamMeta shrunk(StreamId newFirst, @Nullable StreamNode newTail) {
        return new StreamMeta(newFirst, last, maxDeleted, added, nodes, newTail);
    }

    StreamMeta withDeleted(StreamId id) {
        return new StreamMeta(first, last, StreamId.max(maxDeleted, id), added, nodes, tail);
    }

    /** As XSETID sets them. */
    StreamMeta set(StreamId newLast, long newAdded, StreamId newMaxDeleted) {
        return new StreamMeta(first, newLast, newMaxDeleted, newAdded, nodes, tail);
    }

    StreamMeta withNodes(long count) {
        return new StreamMeta(first, last, maxDeleted, added, count, tail);
    }

    /** The number of nodes that Redis would have. */
    long allNodes() {
        return nodes + (tail == null ? 0 : 1);
    }
}
