package io.polytable.redis.model.stream;

import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A whole stream, outside of its rows: what is dumped and restored.
 *
 * @param nodes runs of entries as Redis would keep them together
 * @param last the highest id ever given
 * @param maxDeleted the highest id that was deleted
 * @param added how many entries were ever added
 */
public record StreamContents(
        List<NodeContents> nodes, StreamId last, StreamId maxDeleted, long added, List<GroupContents> groups) {

    /**
     * A node with its entries.
     *
     * @param first the id that began it, and from which its ids are counted
     * @param last of the last entry that it was given, deleted or not
     * @param dead how many of its entries were deleted
     * @param bytes what it takes in Redis
     * @param names of the fields that most of its entries have
     */
    public record NodeContents(
            StreamId first, StreamId last, long dead, long bytes, List<Bytes> names, List<StreamEntry> entries) {
        /** The names of an entry's fields. */
        public static List<Bytes> names(StreamEntry entry) {
            List<Bytes> names = new ArrayList<>();
            for (int i = 0; i < entry.fields().size(); i += 2) {
                names.add(entry.fields().get(i));
            }
            return names;
        }
    }

    /**
     * A consumer group.
     *
     * @param last the last id that it delivered
     * @param read how many entries it has read, -1 when that cannot be told; absent when nobody has tried yet
     */
    public record GroupContents(
            Bytes name, StreamId last, OptionalLong read, List<Pending> pending, List<Consumer> consumers) {}
}
