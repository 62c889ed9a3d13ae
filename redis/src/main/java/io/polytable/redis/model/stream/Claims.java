package io.polytable.redis.model.stream;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Claiming of pending entries by another consumer: XCLAIM and XAUTOCLAIM. */
public final class Claims {
    /** XAUTOCLAIM examines this many pending entries for each that it may claim. */
    private static final long LOOKS_PER_CLAIM = 10;

    /**
     * Who claims, and what happens to the entries.
     *
     * @param minIdleMillis only entries that were not delivered for so long
     * @param deliveries the new delivery count; empty: one more, or as before when only ids are wanted
     * @param idsOnly whether the entries themselves are not wanted
     */
    public record Claimant(Bytes group, Bytes consumer, long minIdleMillis, OptionalLong deliveries, boolean idsOnly) {}

    /**
     * Options of XCLAIM alone.
     *
     * @param deliveredMillis the new delivery time
     * @param force makes entries pending that are not
     * @param last the group's new last id, if the present one is lower
     */
    public record Options(long deliveredMillis, boolean force, StreamId last) {}

    /**
     * One step of XAUTOCLAIM.
     *
     * @param next where the next step begins; 0-0 when this was the last
     * @param deleted entries that are no longer in the stream and are now no longer pending
     */
    public record Page(StreamId next, List<StreamEntry> claimed, List<StreamId> deleted) {}

    /**
     * Checks that the group exists.
     *
     * @throws RedisError NOGROUP when there is no such stream or group
     */
    public void check(Space space, Bytes key, Bytes group) {
        OpenGroup unusedGroup = open(space, key, group);
    }

    private static OpenGroup open(Space space, Bytes key, Bytes name) {
        return OpenStream.findToRead(space, key)
                .flatMap(stream -> OpenGroup.find(stream, name))
                .orElseThrow(() -> OpenGroup.missing(key, name));
    }

    public List<StreamEntry> claim(Space space, Bytes key, Claimant claimant, List<StreamId> ids, Options options) {
        OpenGroup group = open(space, key, claimant.group());
        if (options.last().isAfter(group.group().last())) {
            group.moveTo(options.last(), group.group().read());
        }
        group.see(claimant.consumer(), space.nowMillis());
        List<StreamEntry> claimed = new ArrayList<>();
        for (StreamId id : ids) {
            Optional<Pending> pending = group.pending(id);
            Optional<StreamEntry> entry = group.stream().entry(id);
            if (entry.isEmpty()) {
                pending.ifPresent(group::release);
            } else if (pending.isPresent() ? isIdle(space, pending.get(), claimant) : options.force()) {
                take(group, claimant, id, pending, options.deliveredMillis());
                claimed.add(entry.get());
            }
        }
        if (!claimed.isEmpty()) {
            group.activate(claimant.consumer(), space.nowMillis());
        }
        group.save();
        return claimed;
    }

    private static boolean isIdle(Space space, Pending pending, Claimant claimant) {
        return claimant.minIdleMillis() == 0
                || space.nowMillis() - pending.deliveredMillis() >= claimant.minIdleMillis();
    }

    private static void take(
            OpenGroup group, Claimant claimant, StreamId id, Optional<Pending> pending, long deliveredMillis) {
        // A forced entry counts as delivered once before it is claimed.
        long before = pending.map(Pending::deliveries).orElse(1L);
        long deliveries = claimant.deliveries().orElse(claimant.idsOnly() ? before : before + 1);
        group.assign(new Pending(id, claimant.consumer(), deliveredMillis, deliveries), pending);
    }

    /** Claims up to {@code count} entries, from an id on, that were idle long enough. */
    public Page claimFrom(Space space, Bytes key, Claimant claimant, StreamId from, long count) {
        OpenGroup group = open(space, key, claimant.group());
        group.see(claimant.consumer(), space.nowMillis());
        List<StreamEntry> claimed = new ArrayList<>();
        List<StreamId> deleted = new ArrayList<>();
        StreamId next = StreamId.MIN;
        try (Cursor cursor = group.pendingFrom(from)) {
            long looks = count * LOOKS_PER_CLAIM;
            while (cursor.next()) {
                Pending pending = group.pendingAt(cursor);
                if (looks-- == 0 || claimed.size() + deleted.size() == count) {
                    next = pending.id();
                    break;
                }
                Optional<StreamEntry> entry = group.stream().entry(pending.id());
                if (entry.isEmpty()) {
                    group.release(pending);
                    deleted.add(pending.id());
                } else if (isIdle(space, pending, claimant)) {
                    take(group, claimant, pending.id(), Optional.of(pending), space.nowMillis());
                    claimed.add(entry.get());
                }
            }
        }
        if (!claimed.isEmpty()) {
            group.activate(claimant.consumer(), space.nowMillis());
        }
        group.save();
        return new Page(next, claimed, deleted);
    }
}
