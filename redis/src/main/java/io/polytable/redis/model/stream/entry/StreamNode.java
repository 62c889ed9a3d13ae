package io.polytable.redis.model.stream.entry;

import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.util.List;

/**
 * A run of entries that Redis would keep in one node of its tree. Approximate trimming removes whole nodes only, so
 * clients can see the borders of nodes, which is why we track them.
 *
 * @param first the id of the entry that began it, deleted or not
 * @param last the id of the last entry added to it, deleted or not
 * @param live the number of its existing entries
 * @param dead the number of its deleted entries
 * @param bytes the size of Redis' node
 * @param fieldsHash of the names of the first entry's fields: an entry with the same names takes less space
 */
public record StreamNode(StreamId first, StreamId last, long live, long dead, long bytes, long fieldsHash) {
    private static final int SAME_FIELDS = 2;
    private static final int OTHER_FIELDS = 0;
    private static final long HASH_BASIS = 0xcbf29ce484222325L;
    private static final long HASH_PRIME = 0x100000001b3L;

    public static StreamNode begin(StreamId id, List<Bytes> fields) {
        int count = fields.size() / 2;
        long bytes = PackedSize.OF_NOTHING
                + PackedSize.of(1L)
                + PackedSize.of(0L)
                + PackedSize.of((long) count)
                + namesBytes(fields)
                + PackedSize.of(0L);
        StreamNode empty = new StreamNode(id, id, 0, 0, bytes, hash(fields));
        return new StreamNode(id, id, 1, 0, bytes + empty.entryBytes(id, fields, true), empty.fieldsHash);
    }

    /** A node that Redis has made. */
    public static StreamNode of(StreamId first, StreamId last, long live, long dead, long bytes, List<Bytes> names) {
        return new StreamNode(first, last, live, dead, bytes, hash(names, 1));
    }

    public StreamNode with(StreamId id, List<Bytes> fields) {
        boolean same = hash(fields) == fieldsHash;
        return counting(live + 1, dead).grown(id, entryBytes(id, fields, same));
    }

    private StreamNode grown(StreamId newLast, long moreBytes) {
        return new StreamNode(first, newLast, live, dead, bytes + moreBytes, fieldsHash);
    }

    /** The node after {@code entries} of its live entries were deleted. */
    public StreamNode without(long entries) {
        return counting(live - entries, dead + entries);
    }

    private StreamNode counting(long newLive, long newDead) {
        long newBytes =
                bytes + PackedSize.of(newLive) - PackedSize.of(live) + PackedSize.of(newDead) - PackedSize.of(dead);
        return new StreamNode(first, last, newLive, newDead, newBytes, fieldsHash);
    }

    private long entryBytes(StreamId id, List<Bytes> fields, boolean same) {
        long count = fields.size() / 2;
        long bytesOfEntry = PackedSize.of(same ? SAME_FIELDS : OTHER_FIELDS)
                + PackedSize.of(id.millis() - first.millis())
                + PackedSize.of(id.sequence() - first.sequence());
        if (!same) {
            bytesOfEntry += PackedSize.of(count) + namesBytes(fields);
        }
        for (int i = 1; i < fields.size(); i += 2) {
            bytesOfEntry += PackedSize.of(fields.get(i));
        }
        return bytesOfEntry + PackedSize.of(same ? count + 3 : 2 * count + 4);
    }

    private static long namesBytes(List<Bytes> fields) {
        long bytes = 0;
        for (int i = 0; i < fields.size(); i += 2) {
            bytes += PackedSize.of(fields.get(i));
        }
        return bytes;
    }

    /** Takes names and values alternating. */
    private static long hash(List<Bytes> fields) {
        return hash(fields, 2);
    }

    /** FNV-1a over each name and its length; every step-th word is a name. */
    private static long hash(List<Bytes> words, int step) {
        long hash = HASH_BASIS;
        for (int i = 0; i < words.size(); i += step) {
            Bytes name = words.get(i);
            hash = (hash ^ name.length()) * HASH_PRIME;
            for (int j = 0; j < name.length(); j++) {
                hash = (hash ^ (name.at(j) & 0xff)) * HASH_PRIME;
            }
        }
        return hash;
    }

    /** The first id is the key of the node's row; only a node without a row has it written separately. */
    public void write(BytesWriter to) {
        last.write(to);
        to.varint(live).varint(dead).varint(bytes).i64(fieldsHash);
    }

    public static StreamNode read(StreamId first, BytesReader from) {
        return new StreamNode(first, StreamId.read(from), from.varint(), from.varint(), from.varint(), from.i64());
    }

    public Bytes row() {
        BytesWriter writer = new BytesWriter(40);
        write(writer);
        return writer.toBytes();
    }

    public static StreamNode decode(StreamId first, Bytes row) {
        BytesReader reader = new BytesReader(row);
        StreamNode node = read(first, reader);
        reader.end();
        return node;
    }
}
