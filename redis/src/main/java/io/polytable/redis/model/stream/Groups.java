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
 * Consumer groups: a row a group, a row a consumer, and two rows for each entry that was delivered and not acknowledged,
 * one in the order of ids and one in the order of its owner's. Each row has its counts, so none is ever counted.
 */
public final class Groups {
    private static final KeyEvent CREATE = Streams.quietEvent("xgroup-create");

    /** With MKSTREAM the key changes too, and in its turn among the changes of a transaction. */
    private static final KeyEvent CREATE_WITH_STREAM = Streams.event("xgroup-create");

    private static final KeyEvent SETID = Streams.quietEvent("xgroup-setid");
    private static final KeyEvent DESTROY = Streams.quietEvent("xgroup-destroy");
    private static final KeyEvent DELETE_CONSUMER = Streams.quietEvent("xgroup-delconsumer");

    /** Where a group starts or goes on: behind an id, or behind all that the stream ever had. */
    public record Start(Optional<StreamId> id, long read) {
        StreamId in(OpenStream stream) {
            return id.orElse(stream.meta().last());
        }
    }

    /**
     * Creates a group.
     *
     * @throws RedisError when there is one of that name, or no stream and none shall be made
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

    /** Checks what all of XGROUP's other subcommands need. */
    private static OpenStream stream(Space space, Bytes key) {
        return OpenStream.find(space, key).orElseThrow(Groups::keyMissing);
    }

    private static RedisError keyMissing() {
        return new RedisError(
                "The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use"
                        + " the MKSTREAM option to create an empty stream automatically.");
    }

    /**
     * The group of a stream that must both be there.
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

    /** As C prints it: up to a zero byte. */
    static String shown(Bytes word) {
        String text = new String(word.array(), word.offset(), word.length(), ISO_8859_1);
        int zero = text.indexOf(0);
        return zero < 0 ? text : text.substring(0, zero);
    }

    /**
     * Refuses what XGROUP's subcommands would refuse first.
     *
     * @throws RedisError when the key is not there, or the group that is needed
     */
    public void check(Space space, Bytes key, Bytes name, boolean needsGroup) {
        OpenStream stream = stream(space, key);
        if (needsGroup && stream.rows().groups().get(name).isEmpty()) {
            throw noSuchGroup(key, name);
        }
    }

    /**
     * Looks whether the key may hold a stream.
     *
     * @throws RedisError WRONGTYPE when the key holds something else than a stream
     */
    public void checkType(Space space, Bytes key) {
        Optional<OpenStream> unusedStream = OpenStream.find(space, key);
    }

    /**
     * Looks whether the group is there to be read.
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

    /** Answers whether there was such a group. */
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

    /** Answers whether the consumer is new. */
    public boolean createConsumer(Space space, Bytes key, Bytes name, Bytes consumer) {
        OpenGroup group = group(space, key, name);
        if (group.consumer(consumer).isPresent()) {
            return false;
        }
        group.create(consumer, space.nowMillis());
        group.save();
        return true;
    }

    /** Answers how many entries were pending that it owned; they are no longer pending. */
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

    /** Whether there is such a group in such a stream. */
    public boolean exists(Space space, Bytes key, Bytes name) {
        return find(space, key, name).isPresent();
    }

    private static Optional<OpenGroup> find(Space space, Bytes key, Bytes name) {
        return OpenStream.findToRead(space, key).flatMap(stream -> OpenGroup.find(stream, name));
    }

    /** Answers how many of the ids were pending; they no longer are. */
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
     * What is pending in a group.
     *
     * @param consumers those that own something
     */
    public record Summary(long pending, StreamId oldest, StreamId newest, List<Consumer> consumers) {}

    /**
     * How many entries are pending, between which ids, and with whom.
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
     * Which pending entries are asked for.
     *
     * @param minIdleMillis since their last delivery; zero for any
     * @param consumer only those it owns
     */
    public record PendingQuery(StreamId from, StreamId to, long count, long minIdleMillis, Optional<Bytes> consumer) {}

    /**
     * The pending entries that are asked for, oldest first.
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
                    // Only what is kept counts as read.
                    Bytes unusedKey = cursor.key();
                    found.add(pending.get());
                }
            }
        }
        return found;
    }
}
