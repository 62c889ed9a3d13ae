package io.polytable.redis.model.view;

import io.polytable.frontend.view.FollowedViews.Notes;
import io.polytable.redis.model.row.BigEndian;
import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The key that each collection belongs to: an element's row has only the collection's id. What was found out is kept
 * as notes, the recently used ones also in memory.
 *
 * <p>A renamed collection keeps its former names until the window's end, and its note stays unchanged until then. An
 * element that is deleted after the renaming is missing from the window's snapshot, so only its own deletion shows
 * that it was shown under the former name.
 */
final class CollectionOwners {
    /** Some ten megabytes. */
    private static final int REMEMBERED_MAX = 50_000;

    /** Beyond this many renamings in one window the tables are rebuilt, which bounds the memory. */
    private static final int RENAMED_MAX = 200_000;

    private static final byte NOTE = 'o';

    private final Notes notes;
    private final Map<Long, Optional<CollectionOwner>> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Optional<CollectionOwner>> eldest) {
            return size() > REMEMBERED_MAX;
        }
    };
    private final Map<Long, List<CollectionOwner>> renamed = new HashMap<>();
    private int renamings;

    CollectionOwners(Notes notes) {
        this.notes = notes;
    }

    /** Looks up all of them at once, so that later lookups find them; no more than fit into memory. */
    void load(Collection<Long> ids) {
        List<Long> unknown = ids.stream()
                .filter(id -> !known.containsKey(id) && !renamed.containsKey(id))
                .toList();
        if (unknown.isEmpty()) {
            return;
        }
        List<Optional<Bytes>> found =
                notes.read(unknown.stream().map(CollectionOwners::key).toList());
        for (int i = 0; i < unknown.size(); i++) {
            known.put(unknown.get(i), found.get(i).map(CollectionOwner::decode));
        }
    }

    Optional<CollectionOwner> find(long id) {
        List<CollectionOwner> names = renamed.get(id);
        if (names != null) {
            return Optional.of(names.get(names.size() - 1));
        }
        load(List.of(id));
        return known.getOrDefault(id, Optional.empty());
    }

    /** All names that the collection had in this window. */
    List<CollectionOwner> names(long id) {
        List<CollectionOwner> names = renamed.get(id);
        return names != null ? List.copyOf(names) : find(id).stream().toList();
    }

    /** Puts a new collection, or one with another deadline. */
    void put(long id, CollectionOwner owner) {
        List<CollectionOwner> names = renamed.get(id);
        if (names != null) {
            names.set(names.size() - 1, owner);
        } else {
            known.put(id, Optional.of(owner));
            notes.put(key(id), owner.encode());
        }
    }

    void rename(long id, CollectionOwner former, CollectionOwner owner) {
        renamed.computeIfAbsent(id, first -> new ArrayList<>(List.of(former))).add(owner);
        if (++renamings > RENAMED_MAX) {
            throw new StoreException(
                    StoreError.POSITION_EXPIRED,
                    "More collections were renamed than can be followed",
                    Map.of("renamed", renamings));
        }
    }

    void remove(long id) {
        renamed.remove(id);
        known.put(id, Optional.empty());
        notes.remove(key(id));
    }

    /** Ends the window: forgets former names. */
    void end() {
        renamed.forEach((id, names) -> {
            CollectionOwner owner = names.get(names.size() - 1);
            known.put(id, Optional.of(owner));
            notes.put(key(id), owner.encode());
        });
        renamed.clear();
        renamings = 0;
    }

    private static Bytes key(long id) {
        byte[] key = new byte[1 + Long.BYTES];
        key[0] = NOTE;
        BigEndian.putLong(key, 1, id);
        return Bytes.of(key);
    }
}
