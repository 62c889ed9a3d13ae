package io.polytable.redis.model.set;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.change.EventClass;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.keyspace.Compaction;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.packing.PackingLimits;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.row.Page;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Operations on sets: one row per member, and the number of members in the header. Adding an existing member costs a
 * read and no write. Members come in the order of their keyed hash, which means nothing: Redis promises no order
 * either.
 */
public final class Sets {
    /** Up to this size SSCAN returns a set in one step, as Redis does while the set is packed. */
    private static final int SMALL_MEMBERS_MAX = 512;

    private static final KeyEvent SADD = event("sadd");
    private static final KeyEvent SREM = event("srem");

    public static KeyEvent event(String name) {
        return new KeyEvent(EventClass.SET, name);
    }

    private final Supplier<PackingLimits> limits;

    public Sets() {
        this(() -> PackingLimits.STANDARD);
    }

    /** Asks for the limits in each call, since they can be configured. */
    public Sets(Supplier<PackingLimits> limits) {
        this.limits = limits;
    }

    /** Answers how many of the members are new. */
    public long add(Space space, Bytes key, List<Bytes> members) {
        CollectionHeader header = space.collectionOrNew(key, Type.SET);
        Elements rows = rows(space, header);
        long added = header.size() == 0 ? addFirst(rows, members) : addMore(rows, members);
        if (added > 0) {
            space.put(key, SetForm.grown(header, added, members, limits.get()));
            space.changed(key, SADD);
        }
        return added;
    }

    /** A new set has no members yet, so the lookup is skipped. */
    private static long addFirst(Elements rows, List<Bytes> members) {
        if (members.size() == 1) {
            rows.put(members.get(0), Bytes.EMPTY);
            return 1;
        }
        Set<Bytes> distinct = new HashSet<>();
        for (Bytes member : members) {
            if (distinct.add(member)) {
                rows.put(member, Bytes.EMPTY);
            }
        }
        return distinct.size();
    }

    private static long addMore(Elements rows, List<Bytes> members) {
        long added = 0;
        for (Bytes member : members) {
            if (rows.putIfAbsent(member, Bytes.EMPTY)) {
                added++;
            }
        }
        return added;
    }

    /** Removes members and answers how many existed; without members the key goes too. */
    public long remove(Space space, Bytes key, List<Bytes> members) {
        Optional<CollectionHeader> header = header(space, key);
        if (header.isEmpty()) {
            return 0;
        }
        Elements rows = rows(space, header.get());
        long removed = 0;
        for (Bytes member : members) {
            if (rows.remove(member)) {
                removed++;
            }
        }
        if (removed > 0) {
            space.changed(key, SREM);
            CollectionHeader left = header.get().withSize(header.get().size() - removed);
            space.put(key, Compaction.after(space, key, left, ElementKind.SET_MEMBER, removed));
        }
        return removed;
    }

    /** Moves a member to another set; answers whether it was in the first one. */
    public boolean move(Space space, Bytes from, Bytes to, Bytes member) {
        Optional<CollectionHeader> source = header(space, from);
        if (source.isEmpty()) {
            return false;
        }
        // Checks the type even when there is nothing to move.
        Optional<CollectionHeader> unusedTarget = header(space, to);
        if (from.equals(to)) {
            return rows(space, source.get()).get(member).isPresent();
        }
        if (remove(space, from, List.of(member)) == 0) {
            return false;
        }
        long unusedAdded = add(space, to, List.of(member));
        return true;
    }

    public boolean contains(Space space, Bytes key, Bytes member) {
        Optional<CollectionHeader> header = header(space, key);
        return header.isPresent() && rows(space, header.get()).get(member).isPresent();
    }

    /** One answer per member. */
    public List<Boolean> containsEach(Space space, Bytes key, List<Bytes> members) {
        Optional<CollectionHeader> header = header(space, key);
        if (header.isEmpty()) {
            return members.stream().map(member -> false).toList();
        }
        return rows(space, header.get()).getMany(members).stream()
                .map(Optional::isPresent)
                .toList();
    }

    public long size(Space space, Bytes key) {
        return header(space, key).map(CollectionHeader::size).orElse(0L);
    }

    public List<Bytes> members(Space space, Bytes key) {
        Optional<CollectionHeader> header = header(space, key);
        return header.isEmpty() ? List.of() : members(rows(space, header.get()));
    }

    static List<Bytes> members(Elements rows) {
        List<Bytes> members = new ArrayList<>();
        try (Cursor cursor = rows.scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (cursor.next()) {
                members.add(rows.sub(cursor));
            }
        }
        return members;
    }

    /** Replaces whatever the key held by these members, none of them twice; none removes the key. */
    public void store(Space space, Bytes key, Collection<Bytes> members, KeyEvent event) {
        if (members.isEmpty()) {
            space.remove(key);
            return;
        }
        CollectionHeader header = space.newCollection(key, Type.SET);
        Elements rows = rows(space, header);
        for (Bytes member : members) {
            rows.put(member, Bytes.EMPTY);
        }
        space.put(key, header.withSize(members.size()));
        space.changed(key, event);
    }

    /**
     * One step of SSCAN. As in Redis a small set is returned whole, whatever cursor and count say: clients rely on one
     * step being enough for it.
     */
    public Page scan(Space space, Bytes key, long cursor, long count) {
        Optional<CollectionHeader> header = header(space, key);
        if (header.isEmpty()) {
            return Page.NOTHING;
        }
        Elements rows = rows(space, header.get());
        return header.get().size() <= SMALL_MEMBERS_MAX ? rows.page(0, SMALL_MEMBERS_MAX) : rows.page(cursor, count);
    }

    static Optional<CollectionHeader> header(Space space, Bytes key) {
        return space.collection(key, Type.SET);
    }

    static Elements rows(Space space, CollectionHeader header) {
        return space.elements(header, ElementKind.SET_MEMBER);
    }
}
