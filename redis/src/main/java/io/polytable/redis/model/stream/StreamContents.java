package io.polytable.redis.model.stream;

import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A whole stream, independent of its rows: the unit of DUMP and RESTORE.
 *
 * @param nodes runs of entries as Redis would group them
 * @param last the highest id ever given
 * @param maxDeleted the highest id that was deleted
 * @param added the number of entries ever added
 */
public record StreamContents(
        List<NodeContents> nodes, StreamId last, StreamId maxDeleted, long added, List<GroupContents> groups) {

    /**
     * A node with its entries.
     *
     * @param first the id that began it, relative to which its ids are encoded
     * @param last the id of the last entry added to it, deleted or not
     * @param dead the number of its deleted entries
     * @param bytes its size in Redis
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
     * @param read how many entries it has read, -1 when that is unknown; absent when it was never computed
     */
    public record GroupContents(
            Bytes name, StreamId last, OptionalLong read, List<Pending> pending, List<Consumer> consumers) {}
}
