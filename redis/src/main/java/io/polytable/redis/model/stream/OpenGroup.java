package io.polytable.redis.model.stream;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One consumer group, opened for one command. The rows of pending entries are written at once; {@link #save()} writes
 * the rows of the group and its consumers, each at most once.
 */
final class OpenGroup {
    private static final KeyEvent CREATE_CONSUMER = Streams.quietEvent("xgroup-createconsumer");

    private final OpenStream stream;
    private final StreamRows rows;
    private final Map<Bytes, Consumer> consumers = new LinkedHashMap<>();
    private final Group before;
    private Group group;
    private boolean isOldestGone;

    private OpenGroup(OpenStream stream, Group group) {
        this.stream = stream;
        this.rows = stream.rows();
        this.before = group;
        this.group = group;
    }

    static Optional<OpenGroup> find(OpenStream stream, Bytes name) {
        return stream.rows().groups().get(name).map(row -> new OpenGroup(stream, Group.decode(name, row)));
    }

    OpenStream stream() {
        return stream;
    }

    Group group() {
        return group;
    }

    void moveTo(StreamId last, long read) {
        group = group.at(last, read);
    }

    Optional<Consumer> consumer(Bytes name) {
        Consumer known = consumers.get(name);
        return known != null
                ? Optional.of(known)
                : rows.consumers()
                        .get(StreamRows.ofConsumer(group.name(), name))
                        .map(row -> Consumer.decode(name, row));
    }

    /** Marks the consumer as seen now; creates it if absent. */
    void see(Bytes name, long nowMillis) {
        Optional<Consumer> known = consumer(name);
        if (known.isEmpty()) {
            create(name, nowMillis);
        } else {
            put(known.get().seen(nowMillis));
        }
    }

    void create(Bytes name, long nowMillis) {
        put(Consumer.created(name, nowMillis));
        group = group.withConsumers(group.consumers() + 1);
        stream.space().changed(stream.key(), CREATE_CONSUMER);
    }

    private void put(Consumer consumer) {
        consumers.put(consumer.name(), consumer);
    }

    void activate(Bytes name, long nowMillis) {
        consumer(name).ifPresent(consumer -> put(consumer.active(nowMillis)));
    }

    Optional<Pending> pending(StreamId id) {
        if (group.pending() == 0 || id.isBefore(group.oldest()) || id.isAfter(group.newest())) {
            return Optional.empty();
        }
        return rows.pending().get(StreamRows.ofPending(group.name(), id)).map(row -> Pending.decode(id, row));
    }

    /** Makes the entry pending, or updates its row; the owner may change. */
    void assign(Pending next, Optional<Pending> previous) {
        StreamId id = next.id();
        rows.pending().put(StreamRows.ofPending(group.name(), id), next.row());
        boolean isOwned = previous.isPresent() && previous.get().consumer().equals(next.consumer());
        if (!isOwned) {
            previous.ifPresent(this::disown);
            rows.owned().put(StreamRows.ofOwned(group.name(), next.consumer(), id), Bytes.EMPTY);
            consumer(next.consumer()).ifPresent(owner -> put(owner.owning(1)));
        }
        if (previous.isEmpty()) {
            boolean isOnly = group.pending() == 0;
            group = group.withPending(
                    group.pending() + 1,
                    isOnly ? id : StreamId.min(group.oldest(), id),
                    isOnly ? id : StreamId.max(group.newest(), id));
        }
    }

    private void disown(Pending pending) {
        rows.owned().delete(StreamRows.ofOwned(group.name(), pending.consumer(), pending.id()));
        consumer(pending.consumer()).ifPresent(owner -> put(owner.owning(-1)));
    }

    /** Removes the entry from the pending ones. */
    void release(Pending pending) {
        rows.pending().delete(StreamRows.ofPending(group.name(), pending.id()));
        disown(pending);
        isOldestGone |= pending.id().equals(group.oldest());
        group = group.withPending(group.pending() - 1, group.oldest(), group.newest());
    }

    /** Removes the consumer with its pending entries; returns how many those were. */
    long remove(Consumer consumer) {
        if (consumer.pending() > Trimming.SINGLE_DELETES_MAX) {
            releaseMany(consumer);
        } else {
            releaseFew(consumer);
        }
        rows.consumers().delete(StreamRows.ofConsumer(group.name(), consumer.name()));
        consumers.remove(consumer.name());
        group = group.withConsumers(group.consumers() - 1);
        return consumer.pending();
    }

    private void releaseFew(Consumer consumer) {
        try (Cursor cursor = owned(consumer.name(), StreamId.MIN)) {
            while (cursor.next()) {
                StreamId id = StreamRows.id(rows.owned().sub(cursor));
                release(new Pending(id, consumer.name(), 0, 0));
            }
        }
    }

    private void releaseMany(Consumer consumer) {
        StreamId oldest = PendingRuns.delete(rows.pending(), pendingFrom(StreamId.MIN), group.name(), consumer.name());
        Bytes owner = StreamRows.ofOwner(group.name(), consumer.name());
        rows.owned().deleteRange(owner, owner.successorOfPrefix());
        group = group.withPending(group.pending() - consumer.pending(), oldest, group.newest());
    }

    /** The pending entries from an id on. */
    Cursor pendingFrom(StreamId from) {
        Bytes prefix = StreamRows.ofGroup(group.name());
        if (group.pending() == 0) {
            return rows.pending().scan(prefix, prefix, Direction.FORWARD, 1);
        }
        StreamId start = StreamId.max(from, group.oldest());
        return rows.pending()
                .scan(prefix.concat(start.bytes()), prefix.successorOfPrefix(), Direction.FORWARD, Long.MAX_VALUE);
    }

    Pending pendingAt(Cursor cursor) {
        return Pending.decode(StreamRows.id(rows.pending().sub(cursor)), cursor.value());
    }

    /** The pending ids of a consumer, from one on. */
    Cursor owned(Bytes consumer, StreamId from) {
        Bytes prefix = StreamRows.ofOwner(group.name(), consumer);
        StreamId start = StreamId.max(from, group.oldest());
        return rows.owned()
                .scan(prefix.concat(start.bytes()), prefix.successorOfPrefix(), Direction.FORWARD, Long.MAX_VALUE);
    }

    /** The last pending entry's id. */
    Optional<StreamId> lastPending() {
        Bytes prefix = StreamRows.ofGroup(group.name());
        Bytes end = group.newest().next().map(id -> prefix.concat(id.bytes())).orElseGet(prefix::successorOfPrefix);
        try (Cursor cursor = rows.pending().scan(prefix, end, Direction.REVERSE, 1)) {
            return cursor.next() ? Optional.of(StreamRows.id(rows.pending().sub(cursor))) : Optional.empty();
        }
    }

    /** All consumers, by name. */
    Cursor allConsumers() {
        Bytes prefix = StreamRows.ofGroup(group.name());
        return rows.consumers().scan(prefix, prefix.successorOfPrefix(), Direction.FORWARD, Long.MAX_VALUE);
    }

    Consumer consumerAt(Cursor cursor) {
        return Consumer.decode(StreamRows.behindGroup(rows.consumers().sub(cursor)), cursor.value());
    }

    void save() {
        if (isOldestGone && group.pending() > 0) {
            try (Cursor cursor = pendingFrom(group.oldest())) {
                StreamId oldest = cursor.next() ? pendingAt(cursor).id() : group.newest();
                group = group.withPending(group.pending(), oldest, group.newest());
            }
        }
        for (Consumer consumer : consumers.values()) {
            rows.consumers().put(StreamRows.ofConsumer(group.name(), consumer.name()), consumer.row());
        }
        if (!group.equals(before)) {
            rows.groups().put(group.name(), group.row());
        }
    }

    static RedisError missing(Bytes key, Bytes group) {
        return Groups.noGroup(
                "No such key '" + Groups.shown(key) + "' or consumer group '" + Groups.shown(group) + "'");
    }
}
