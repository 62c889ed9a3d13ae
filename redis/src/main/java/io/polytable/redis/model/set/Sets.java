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
import io.polytable.redis.model.row.RingRow;
import io.polytable.table.Bytes;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Operations on sets: one row per member, and the number of members in the header. Adding an existing member costs a
 * read and no write. While Redis would pack the set, members come in the order of its {@link SetForm}; later in that of
 * their keyed hash.
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

    /** Returns how many of the members are new. */
    public long add(Space space, Bytes key, List<Bytes> members) {
        CollectionHeader header = space.collectionOrNew(key, Type.SET);
        Elements rows = rows(space, header);
        List<Bytes> added = header.size() == 0 ? addFirst(rows, members) : addMore(rows, members);
        if (!added.isEmpty()) {
            space.put(key, SetForm.grown(header, rows, added, members, limits.get()));
            space.changed(key, SADD);
        }
        return added.size();
    }

    /** A new set has no members yet, so the lookup is skipped. */
    private static List<Bytes> addFirst(Elements rows, List<Bytes> members) {
        List<Bytes> distinct = members.size() == 1 ? members : List.copyOf(new LinkedHashSet<>(members));
        distinct.forEach(member -> rows.put(member, Bytes.EMPTY));
        return distinct;
    }

    private static List<Bytes> addMore(Elements rows, List<Bytes> members) {
        return members.stream()
                .filter(member -> rows.putIfAbsent(member, Bytes.EMPTY))
                .toList();
    }

    /** Removes members and answers how many existed; without members the key goes too. */
    public long remove(Space space, Bytes key, List<Bytes> members) {
        Optional<CollectionHeader> header = header(space, key);
        if (header.isEmpty()) {
            return 0;
        }
        Elements rows = rows(space, header.get());
        List<Bytes> removed = members.stream().filter(rows::remove).toList();
        if (!removed.isEmpty()) {
            space.changed(key, SREM);
            CollectionHeader left = rows.without(header.get(), removed);
            space.put(key, Compaction.after(space, key, left, ElementKind.SET_MEMBER, removed.size()));
        }
        return removed.size();
    }

    /** Moves a member to another set; returns whether it was in the first one. */
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
        return header.isEmpty() ? List.of() : SetForm.members(header.get(), rows(space, header.get()));
    }

    /** Replaces whatever the key held by these members, none of them twice; none removes the key. */
    public void store(Space space, Bytes key, List<Bytes> members, KeyEvent event) {
        if (members.isEmpty()) {
            space.remove(key);
            return;
        }
        CollectionHeader header = space.newCollection(key, Type.SET);
        Elements rows = rows(space, header);
        for (Bytes member : members) {
            rows.put(member, Bytes.EMPTY);
        }
        space.put(key, SetForm.stored(header, rows, members, limits.get()));
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
        if (!isSmall(header.get())) {
            return rows.page(cursor, count);
        }
        List<Bytes> members = SetForm.members(header.get(), rows);
        return new Page(
                members.stream().map(member -> new RingRow(member, Bytes.EMPTY)).toList(), 0);
    }

    static boolean isSmall(CollectionHeader set) {
        return set.size() <= SMALL_MEMBERS_MAX;
    }

    static Optional<CollectionHeader> header(Space space, Bytes key) {
        return space.collection(key, Type.SET);
    }

    static Elements rows(Space space, CollectionHeader header) {
        return space.elements(header, ElementKind.SET_MEMBER);
    }
}
