package io.polytable.redis.model.dump;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.hash.Hashes;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.list.ListEnd;
import io.polytable.redis.model.list.Lists;
import io.polytable.redis.model.packing.MalformedPacking;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.set.Sets;
import io.polytable.redis.model.stream.Pending;
import io.polytable.redis.model.stream.StreamTransfer;
import io.polytable.redis.model.zset.AddRules;
import io.polytable.redis.model.zset.SortedSets;
import io.polytable.table.Bytes;
import java.util.List;

/** RESTORE: creates keys from payloads of DUMP, ours or Redis'. */
public final class Restores {
    private static final KeyEvent RESTORE = KeyEvent.generic("restore");

    private final Lists lists;
    private final Sets sets;
    private final Hashes hashes;
    private final SortedSets sortedSets;
    private final StreamTransfer streams = new StreamTransfer();

    public Restores(Lists lists, Sets sets, Hashes hashes, SortedSets sortedSets) {
        this.lists = lists;
        this.sets = sets;
        this.hashes = hashes;
        this.sortedSets = sortedSets;
    }

    /**
     * Decodes a payload.
     *
     * @throws RedisError in Redis' words when it is not whole, or no value; OOM when its elements would exceed the
     *     read budget: compressed, millions of them fit into some kilobytes
     */
    public DumpedValue read(Space space, Bytes payload) {
        Bytes value =
                Payload.open(payload).orElseThrow(() -> new RedisError("DUMP payload version or checksum are wrong"));
        try {
            return ValueReader.read(value, space::keep);
        } catch (MalformedPacking malformed) {
            throw new RedisError("Bad data format");
        }
    }

    /**
     * Replaces whatever the key held by the value.
     *
     * @param expireAt the deadline, or {@link Header#NEVER}; one that has passed leaves no key
     */
    public void restore(Space space, Bytes key, DumpedValue value, long expireAt) {
        boolean replaces = space.header(key).isPresent();
        if (expireAt != Header.NEVER && space.isPast(expireAt)) {
            space.remove(key);
            return;
        }
        put(space, key, value);
        if (expireAt != Header.NEVER) {
            space.header(key).ifPresent(header -> space.put(key, header.withExpireAt(expireAt)));
        }
        if (replaces) {
            // As in Redis, a replaced key is removed first, so the key counts as new.
            space.changed(key, KeyEvent.NEW);
        }
        space.changed(key, RESTORE);
    }

    /**
     * Writes a part of a value; the parts of a value come in their order.
     *
     * @throws MalformedPacking when an element was there before
     */
    public void write(Space space, Bytes key, ValuePart part) {
        if (part instanceof ValuePart.First first) {
            put(space, key, first.value());
        } else if (part instanceof ValuePart.More more) {
            add(space, key, more.value());
        } else if (part instanceof ValuePart.Nodes nodes) {
            streams.append(space, key, nodes.nodes());
        } else if (part instanceof ValuePart.Counters counters) {
            streams.setCounters(space, key, counters.last(), counters.maxDeleted(), counters.added());
        } else if (part instanceof ValuePart.Group group) {
            streams.putGroup(space, key, group.group());
        } else if (part instanceof ValuePart.Nothing) {
            space.remove(key);
        }
    }

    /** Writes pending entries of a group, in any number of steps before the {@link ValuePart.Group group} itself. */
    public void writePending(Space space, Bytes key, Bytes group, List<Pending> entries) {
        streams.putPending(space, key, group, entries);
    }

    /** Reports a key that was written in parts, with its deadline. */
    public void end(Space space, Bytes key, long expireAt) {
        if (expireAt != Header.NEVER) {
            space.header(key).ifPresent(header -> space.put(key, header.withExpireAt(expireAt)));
        }
        space.changed(key, RESTORE);
    }

    private void add(Space space, Bytes key, DumpedValue value) {
        long added;
        int came;
        if (value instanceof DumpedValue.OfList list) {
            lists.push(space, key, ListEnd.RIGHT, list.elements());
            return;
        } else if (value instanceof DumpedValue.OfSet set) {
            came = set.members().size();
            added = sets.add(space, key, set.members());
        } else if (value instanceof DumpedValue.OfHash hash) {
            came = hash.pairs().size() / 2;
            added = hashes.put(space, key, hash.pairs());
        } else if (value instanceof DumpedValue.OfSortedSet sortedSet) {
            came = sortedSet.elements().size();
            added = sortedSets
                    .add(space, key, AddRules.ANY, sortedSet.elements())
                    .added();
        } else {
            throw new IllegalStateException("a value that has no further parts: " + value);
        }
        if (added != came) {
            throw new MalformedPacking("something is there twice");
        }
    }

    private void put(Space space, Bytes key, DumpedValue value) {
        if (value instanceof DumpedValue.OfString string) {
            space.putString(key, string.value(), Header.NEVER);
        } else if (value instanceof DumpedValue.OfList list) {
            lists.store(space, key, list.elements(), KeyEvent.UNNAMED);
        } else if (value instanceof DumpedValue.OfSet set) {
            sets.store(space, key, set.members(), KeyEvent.UNNAMED);
        } else if (value instanceof DumpedValue.OfHash hash) {
            hashes.store(space, key, hash.pairs());
        } else if (value instanceof DumpedValue.OfSortedSet sortedSet) {
            sortedSets.store(space, key, sortedSet.elements(), KeyEvent.UNNAMED);
        } else if (value instanceof DumpedValue.OfStream stream) {
            streams.write(space, key, stream.contents());
        }
    }
}
