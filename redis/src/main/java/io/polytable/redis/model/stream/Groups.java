package io.polytable.redis.model.stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.RedisError.Code;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Consumer groups: one row per group, one per consumer, and two per pending entry, one ordered by id and one ordered
 * by owner and id. The rows hold their counts, so nothing is ever counted by a scan.
 */
public final class Groups {
    /** A group was destroyed, which ends the wait of its blocked readers. */
    public static final KeyEvent DESTROY = Streams.quietEvent("xgroup-destroy");

    private static final KeyEvent CREATE = Streams.quietEvent("xgroup-create");

    /** MKSTREAM changes the key too, in its order among the changes of a transaction. */
    private static final KeyEvent CREATE_WITH_STREAM = Streams.event("xgroup-create");

    private static final KeyEvent SETID = Streams.quietEvent("xgroup-setid");
    private static final KeyEvent DELETE_CONSUMER = Streams.quietEvent("xgroup-delconsumer");

    /** Where a group starts or continues: after an id, or after the stream's last id. */
    public record Start(Optional<StreamId> id, long read) {
        StreamId in(OpenStream stream) {
            return id.orElse(stream.meta().last());
        }
    }

    /**
     * Creates a group.
     *
     * @throws RedisError when the name exists, or when the stream is absent and must not be created
     */
    public void create(Space space, Bytes key, Bytes name, Start start, boolean makeStream) {
        boolean isNew = OpenStream.find(space, key).isEmpty();
        if (isNew && !makeStream) {
            throw keyMissing();
        }
        OpenStream stream = OpenStream.findOrNew(space, key);
        if (!isNew && stream.rows().groups().get(name).isPresent()) {
            throw new RedisError(Code.BUSYGROUP, "Consumer Group name already exists");
        }
        if (isNew) {
            stream.save();
        }
        Group group = Group.created(name, start.in(stream), start.read(), space.nowMillis());
        stream.rows().groups().put(name, group.row());
        space.changed(key, isNew ? CREATE_WITH_STREAM : CREATE);
    }

    /** The stream that all other subcommands of XGROUP need. */
    private static OpenStream stream(Space space, Bytes key) {
        return OpenStream.find(space, key).orElseThrow(Groups::keyMissing);
    }

    private static RedisError keyMissing() {
        return new RedisError(
                "The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use"
                        + " the MKSTREAM option to create an empty stream automatically.");
    }

    /**
     * The group of a stream; both must exist.
     *
     * @throws RedisError in the words of XGROUP
     */
    private static OpenGroup group(Space space, Bytes key, Bytes name) {
        return OpenGroup.find(stream(space, key), name).orElseThrow(() -> noSuchGroup(key, name));
    }

    static RedisError noSuchGroup(Bytes key, Bytes name) {
        return noGroup("No such consumer group '" + shown(name) + "' for key name '" + shown(key) + "'");
    }

    static RedisError noGroup(String text) {
        return new RedisError(Code.NOGROUP, text);
    }

    /** The word as C prints it: up to a zero byte. */
    static String shown(Bytes word) {
        String text = new String(word.array(), word.offset(), word.length(), ISO_8859_1);
        int zero = text.indexOf(0);
        return zero < 0 ? text : text.substring(0, zero);
    }

    /**
     * Checks what XGROUP's subcommands check first.
     *
     * @throws RedisError when the key is absent, or the group that is needed
     */
    public void check(Space space, Bytes key, Bytes name, boolean needsGroup) {
        OpenStream stream = stream(space, key);
        if (needsGroup && stream.rows().groups().get(name).isEmpty()) {
            throw noSuchGroup(key, name);
        }
    }

    /**
     * Checks that the key is absent or holds a stream.
     *
     * @throws RedisError WRONGTYPE when the key holds something other than a stream
     */
    public void checkType(Space space, Bytes key) {
        Optional<OpenStream> unusedStream = OpenStream.find(space, key);
    }

    /**
     * Checks that the group exists.
     *
     * @throws RedisError NOGROUP in the words of XREADGROUP when there is no such stream or group
     */
    public void checkForRead(Space space, Bytes key, Bytes name) {
        if (!exists(space, key, name)) {
            throw noGroup("No such key '" + shown(key) + "' or consumer group '" + shown(name)
                    + "' in XREADGROUP with GROUP option");
        }
    }

    public void setLast(Space space, Bytes key, Bytes name, Start start) {
        OpenGroup group = group(space, key, name);
        group.moveTo(start.in(group.stream()), start.read());
        group.save();
        space.changed(key, SETID);
    }

    /** Returns whether the group existed. */
    public boolean destroy(Space space, Bytes key, Bytes name) {
        OpenStream stream = stream(space, key);
        Optional<OpenGroup> group = OpenGroup.find(stream, name);
        if (group.isEmpty()) {
            return false;
        }
        boolean isSmall =
                group.get().group().pending() + group.get().group().consumers() <= Trimming.SINGLE_DELETES_MAX;
        Bytes prefix = StreamRows.ofGroup(name);
        StreamRows rows = stream.rows();
        for (Elements kind : List.of(rows.consumers(), rows.pending(), rows.owned())) {
            deleteAll(kind, prefix, isSmall);
        }
        rows.groups().delete(name);
        space.changed(key, DESTROY);
        return true;
    }

    private static void deleteAll(Elements rows, Bytes prefix, boolean oneByOne) {
        Bytes end = prefix.successorOfPrefix();
        if (!oneByOne) {
            rows.deleteRange(prefix, end);
            return;
        }
        try (Cursor cursor = rows.scan(prefix, end, Direction.FORWARD, Long.MAX_VALUE)) {
            while (cursor.next()) {
                rows.delete(rows.sub(cursor));
            }
        }
    }

    /** Returns whether the consumer is new. */
    public boolean createConsumer(Space space, Bytes key, Bytes name, Bytes consumer) {
        OpenGroup group = group(space, key, name);
        if (group.consumer(consumer).isPresent()) {
            return false;
        }
        group.create(consumer, space.nowMillis());
        group.save();
        return true;
    }

    /** Removes a consumer and its pending entries; returns how many those were. */
    public long deleteConsumer(Space space, Bytes key, Bytes name, Bytes consumer) {
        OpenGroup group = group(space, key, name);
        Optional<Consumer> found = group.consumer(consumer);
        if (found.isEmpty()) {
            return 0;
        }
        long owned = group.remove(found.get());
        group.save();
        space.changed(key, DELETE_CONSUMER);
        return owned;
    }

    /** Whether the stream and the group exist. */
    public boolean exists(Space space, Bytes key, Bytes name) {
        return find(space, key, name).isPresent();
    }

    private static Optional<OpenGroup> find(Space space, Bytes key, Bytes name) {
        return OpenStream.findToRead(space, key).flatMap(stream -> OpenGroup.find(stream, name));
    }

    /** Removes ids from the pending entries; returns how many were pending. */
    public long acknowledge(Space space, Bytes key, Bytes name, List<StreamId> ids) {
        Optional<OpenGroup> group = find(space, key, name);
        if (group.isEmpty()) {
            return 0;
        }
        long acknowledged = 0;
        for (StreamId id : ids) {
            Optional<Pending> pending = group.get().pending(id);
            if (pending.isPresent()) {
                group.get().release(pending.get());
                acknowledged++;
            }
        }
        if (acknowledged > 0) {
            group.get().save();
        }
        return acknowledged;
    }

    /**
     * The pending entries of a group, in numbers.
     *
     * @param consumers those that own any
     */
    public record Summary(long pending, StreamId oldest, StreamId newest, List<Consumer> consumers) {}

    /**
     * The number of pending entries, their lowest and highest id, and their owners.
     *
     * @throws RedisError NOGROUP when there is no such stream or group
     */
    public Summary pending(Space space, Bytes key, Bytes name) {
        OpenGroup group = find(space, key, name).orElseThrow(() -> OpenGroup.missing(key, name));
        if (group.group().pending() == 0) {
            return new Summary(0, StreamId.MIN, StreamId.MIN, List.of());
        }
        List<Consumer> owners =
                consumers(group).stream().filter(each -> each.pending() > 0).toList();
        return new Summary(
                group.group().pending(),
                group.group().oldest(),
                group.lastPending().orElse(group.group().newest()),
                owners);
    }

    static List<Consumer> consumers(OpenGroup group) {
        List<Consumer> consumers = new ArrayList<>();
        try (Cursor cursor = group.allConsumers()) {
            while (cursor.next()) {
                consumers.add(group.consumerAt(cursor));
            }
        }
        return consumers;
    }

    /**
     * A query for pending entries.
     *
     * @param minIdleMillis since their last delivery; zero for any
     * @param consumer only those it owns
     */
    public record PendingQuery(StreamId from, StreamId to, long count, long minIdleMillis, Optional<Bytes> consumer) {}

    /**
     * The pending entries of the query, oldest first.
     *
     * @throws RedisError NOGROUP when there is no such stream or group
     */
    public List<Pending> pending(Space space, Bytes key, Bytes name, PendingQuery query) {
        OpenGroup group = find(space, key, name).orElseThrow(() -> OpenGroup.missing(key, name));
        return pending(group, query, space.nowMillis());
    }

    static List<Pending> pending(OpenGroup group, PendingQuery query, long nowMillis) {
        List<Pending> found = new ArrayList<>();
        Optional<Bytes> owner = query.consumer();
        if (query.count() == 0 || group.group().pending() == 0) {
            return found;
        }
        try (Cursor cursor =
                owner.isPresent() ? group.owned(owner.get(), query.from()) : group.pendingFrom(query.from())) {
            while (found.size() < query.count() && cursor.next()) {
                // Both kinds of rows end with the id.
                StreamId id = StreamRows.id(cursor.keySlice().toBytes());
                if (id.isAfter(query.to())) {
                    break;
                }
                Optional<Pending> pending = owner.isPresent()
                        ? group.pending(id)
                        : Optional.of(Pending.decode(id, cursor.valueSlice().toBytes()));
                if (pending.isPresent() && pending.get().isIdle(nowMillis, query.minIdleMillis())) {
                    // Charges only what is kept as read.
                    Bytes unusedKey = cursor.key();
                    found.add(pending.get());
                }
            }
        }
        return found;
    }
}
