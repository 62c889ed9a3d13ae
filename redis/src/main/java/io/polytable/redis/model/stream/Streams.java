package io.polytable.redis.model.stream;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.EventClass;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.stream.entry.NodeLimits;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Operations on streams: one row per entry in the order of ids, and the metadata in the header. Adding an entry writes
 * its row and the header, at any length. The header has the id of the first entry, so that no reader walks over the
 * tombstones of trimmed ones.
 */
public final class Streams {
    /** An entry was added, which blocked readers may wait for. */
    public static final KeyEvent XADD = event("xadd");

    private static final KeyEvent XTRIM = event("xtrim");
    private static final KeyEvent XDEL = event("xdel");
    private static final KeyEvent XSETID = quietEvent("xsetid");

    private final Supplier<NodeLimits> limits;

    /** Asks for the limits in each call, since they can be configured. */
    public Streams(Supplier<NodeLimits> limits) {
        this.limits = limits;
    }

    static KeyEvent event(String name) {
        return new KeyEvent(EventClass.STREAM, name);
    }

    /** An event that leaves the entries alone: in Redis it does not count as a change of the key. */
    static KeyEvent quietEvent(String name) {
        return new KeyEvent(EventClass.STREAM, name, false);
    }

    /**
     * Adds an entry and answers its id.
     *
     * @param trimmed how to trim the stream afterwards, null for not at all
     * @return empty when there is no such stream and none is to be created
     */
    public Optional<StreamId> add(
            Space space, Bytes key, NewId wanted, List<Bytes> fields, boolean makeStream, @Nullable TrimRule trimmed) {
        if (!makeStream && OpenStream.find(space, key).isEmpty()) {
            return Optional.empty();
        }
        OpenStream stream = OpenStream.findOrNew(space, key);
        StreamId id = wanted.behind(stream.meta().last(), space.nowMillis());
        stream.append(id, fields, limits.get());
        long gone = trimmed == null ? 0 : Trimming.trim(stream, trimmed);
        stream.save();
        space.changed(key, XADD);
        if (gone > 0) {
            space.changed(key, XTRIM);
        }
        return Optional.of(id);
    }

    /** Returns how many entries were removed. */
    public long trim(Space space, Bytes key, TrimRule rule) {
        Optional<OpenStream> stream = OpenStream.find(space, key);
        long gone = stream.isEmpty() ? 0 : Trimming.trim(stream.get(), rule);
        if (gone > 0) {
            stream.orElseThrow().save();
            space.changed(key, XTRIM);
        }
        return gone;
    }

    /** Returns how many of the ids existed. An empty stream stays. */
    public long delete(Space space, Bytes key, List<StreamId> ids) {
        Optional<OpenStream> stream = OpenStream.find(space, key);
        long gone = stream.isEmpty() ? 0 : Deletion.delete(stream.get(), ids);
        if (gone > 0) {
            stream.orElseThrow().save();
            space.changed(key, XDEL);
        }
        return gone;
    }

    /** Whether there is a stream at the key. */
    public boolean exists(Space space, Bytes key) {
        return OpenStream.find(space, key).isPresent();
    }

    public long size(Space space, Bytes key) {
        return OpenStream.find(space, key).map(OpenStream::length).orElse(0L);
    }

    /** The highest id ever given; 0-0 for none. */
    public StreamId last(Space space, Bytes key) {
        return OpenStream.find(space, key).map(stream -> stream.meta().last()).orElse(StreamId.MIN);
    }

    /** Entries from one id to another, both inclusive, the later ones first when reversed. */
    public List<StreamEntry> range(
            Space space, Bytes key, StreamId from, StreamId to, Direction direction, long limit) {
        return OpenStream.find(space, key)
                .map(stream -> entries(stream, from, to, direction, limit))
                .orElse(List.of());
    }

    static List<StreamEntry> entries(OpenStream stream, StreamId from, StreamId to, Direction direction, long limit) {
        List<StreamEntry> entries = new ArrayList<>();
        try (Cursor cursor = stream.entries(from, to, direction, limit)) {
            while (cursor.next()) {
                entries.add(stream.entry(cursor));
            }
        }
        return entries;
    }

    /** Entries after an id. */
    public List<StreamEntry> after(Space space, Bytes key, StreamId id, long limit) {
        return id.next()
                .map(from -> range(space, key, from, StreamId.MAX, Direction.FORWARD, limit))
                .orElse(List.of());
    }

    /**
     * Sets the highest id given, and the counters.
     *
     * @param added empty to keep it
     * @param maxDeleted 0-0 to keep it
     * @throws RedisError when that contradicts the entries
     */
    public void setLast(Space space, Bytes key, StreamId id, Optional<Long> added, StreamId maxDeleted) {
        OpenStream stream = OpenStream.find(space, key).orElseThrow(() -> RedisError.NO_SUCH_KEY);
        StreamMeta meta = stream.meta();
        if (id.isBefore(meta.maxDeleted())) {
            throw new RedisError("The ID specified in XSETID is smaller than current max_deleted_entry_id");
        }
        if (stream.length() > 0) {
            if (id.isBefore(stream.lastPresent().orElse(StreamId.MIN))) {
                throw new RedisError("The ID specified in XSETID is smaller than the target stream top item");
            }
            if (added.isPresent() && stream.length() > added.get()) {
                throw new RedisError("The entries_added specified in XSETID is smaller than the target stream length");
            }
        }
        stream.meta(meta.set(
                id, added.orElse(meta.added()), maxDeleted.equals(StreamId.MIN) ? meta.maxDeleted() : maxDeleted));
        stream.save();
        space.changed(key, XSETID);
    }
}
