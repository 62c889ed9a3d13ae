package io.polytable.redis.model.stream;

import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** XREADGROUP on one stream: delivers new entries, or repeats those that a consumer has pending. */
public final class GroupReads {
    /**
     * Who reads, and how.
     *
     * @param count the number of entries at most
     * @param noAck whether delivered entries need no acknowledgement and do not become pending
     */
    public record Reader(Bytes group, Bytes consumer, long count, boolean noAck) {}

    /** Entries not yet delivered to any consumer of the group, which must exist; they become pending. */
    public List<StreamEntry> deliver(Space space, Bytes key, Reader reader) {
        OpenGroup group = open(space, key, reader);
        group.see(reader.consumer(), space.nowMillis());
        List<StreamEntry> delivered = undelivered(group, reader.count());
        for (StreamEntry entry : delivered) {
            advance(group, entry.id());
            if (!reader.noAck()) {
                Optional<Pending> before = group.pending(entry.id());
                group.assign(new Pending(entry.id(), reader.consumer(), space.nowMillis(), 1), before);
            }
        }
        if (!reader.noAck() && !delivered.isEmpty()) {
            group.activate(reader.consumer(), space.nowMillis());
        }
        group.save();
        return delivered;
    }

    private static OpenGroup open(Space space, Bytes key, Reader reader) {
        return OpenStream.find(space, key)
                .flatMap(stream -> OpenGroup.find(stream, reader.group()))
                .orElseThrow(() -> OpenGroup.missing(key, reader.group()));
    }

    private static List<StreamEntry> undelivered(OpenGroup group, long count) {
        return group.group()
                .last()
                .next()
                .map(from -> Streams.entries(group.stream(), from, StreamId.MAX, Direction.FORWARD, count))
                .orElse(List.of());
    }

    /**
     * Increments the read count while no later entry was deleted; else tries to derive how many were added up to the
     * entry.
     */
    private static void advance(OpenGroup group, StreamId id) {
        OpenStream stream = group.stream();
        long read = group.group().read();
        if (read != Group.UNKNOWN && !stream.hasHolesFrom(id)) {
            read++;
        } else if (stream.meta().added() != 0) {
            OptionalLong added = stream.addedUpTo(id);
            read = added.isPresent() ? added.getAsLong() : Group.UNKNOWN;
        }
        group.moveTo(id, read);
    }

    /** The pending entries of the consumer after an id. */
    public List<StreamEntry> history(Space space, Bytes key, Reader reader, StreamId after) {
        OpenGroup group = open(space, key, reader);
        group.see(reader.consumer(), space.nowMillis());
        List<StreamEntry> entries = new ArrayList<>();
        // After the highest id Redis starts from the beginning.
        try (Cursor cursor = group.owned(reader.consumer(), after.next().orElse(StreamId.MIN))) {
            while (entries.size() < reader.count() && cursor.next()) {
                entries.add(redeliver(group, StreamRows.id(cursor.key()), space.nowMillis()));
            }
        }
        group.save();
        return entries;
    }

    private static StreamEntry redeliver(OpenGroup group, StreamId id, long nowMillis) {
        Optional<StreamEntry> entry = group.stream().entry(id);
        if (entry.isPresent()) {
            Optional<Pending> pending = group.pending(id);
            pending.ifPresent(each -> group.assign(each.delivered(nowMillis), pending));
        }
        return entry.orElse(StreamEntry.gone(id));
    }
}
