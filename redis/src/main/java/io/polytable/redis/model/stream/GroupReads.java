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

/** What XREADGROUP does to one stream: it delivers new entries, or tells a consumer again which ones it has. */
public final class GroupReads {
    /**
     * Who reads, and how.
     *
     * @param count at most so many entries
     * @param noAck what is delivered needs no acknowledgement and does not become pending
     */
    public record Reader(Bytes group, Bytes consumer, long count, boolean noAck) {}

    /** Entries that no consumer of the group got yet; they become pending. The group must be there. */
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

    /** Counts on while nothing behind the entry was deleted; else tries to find out how many were added up to it. */
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

    /** The entries that the consumer was given and has not acknowledged, behind an id. */
    public List<StreamEntry> history(Space space, Bytes key, Reader reader, StreamId after) {
        OpenGroup group = open(space, key, reader);
        group.see(reader.consumer(), space.nowMillis());
        List<StreamEntry> entries = new ArrayList<>();
        // After the highest id Redis begins anew.
        try (Cursor cursor = group.owned(reader.consumer(), after.next().orElse(StreamId.MIN))) {
            while (entries.size() < reader.count() && cursor.next()) {
                entries.add(tellAgain(group, StreamRows.id(cursor.key()), space.nowMillis()));
            }
        }
        group.save();
        return entries;
    }

    private static StreamEntry tellAgain(OpenGroup group, StreamId id, long nowMillis) {
        Optional<StreamEntry> entry = group.stream().entry(id);
        if (entry.isPresent()) {
            Optional<Pending> pending = group.pending(id);
            pending.ifPresent(each -> group.assign(each.delivered(nowMillis), pending));
        }
        return entry.orElse(StreamEntry.gone(id));
    }
}
