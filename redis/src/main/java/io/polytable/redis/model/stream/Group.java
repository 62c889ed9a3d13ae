package io.polytable.redis.model.stream;

import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;

/**
 * A consumer group.
 *
 * @param last the id of the last entry that it delivered
 * @param read how many entries it has read of all ever added, {@link #UNKNOWN} when that is unknown
 * @param createdMillis when it was created
 * @param consumers the number of consumers
 * @param pending the number of entries delivered and not acknowledged
 * @param oldest lower bound of the pending ids: scans start here, after the tombstones of acknowledged entries
 * @param newest upper bound of the pending ids: a later entry is certainly not pending
 */
public record Group(
        Bytes name,
        StreamId last,
        long read,
        long createdMillis,
        long consumers,
        long pending,
        StreamId oldest,
        StreamId newest) {
    public static final long UNKNOWN = -1;

    static Group created(Bytes name, StreamId last, long read, long nowMillis) {
        return new Group(name, last, read, nowMillis, 0, 0, StreamId.MIN, StreamId.MIN);
    }

    Group at(StreamId newLast, long newRead) {
        return new Group(name, newLast, newRead, createdMillis, consumers, pending, oldest, newest);
    }

    Group withConsumers(long count) {
        return new Group(name, last, read, createdMillis, count, pending, oldest, newest);
    }

    Group withPending(long count, StreamId from, StreamId to) {
        return new Group(name, last, read, createdMillis, consumers, count, from, to);
    }

    Bytes row() {
        BytesWriter writer = new BytesWriter(64);
        last.write(writer);
        writer.zigzag(read).zigzag(createdMillis).varint(consumers).varint(pending);
        oldest.write(writer);
        newest.write(writer);
        return writer.toBytes();
    }

    public static Group decode(Bytes name, Bytes row) {
        BytesReader reader = new BytesReader(row);
        Group group = new Group(
                name,
                StreamId.read(reader),
                reader.zigzag(),
                reader.zigzag(),
                reader.varint(),
                reader.varint(),
                StreamId.read(reader),
                StreamId.read(reader));
        reader.end();
        return group;
    }
}
