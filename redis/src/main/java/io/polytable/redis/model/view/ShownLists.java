package io.polytable.redis.model.view;

import io.polytable.frontend.view.FollowedViews.Notes;
import io.polytable.redis.model.list.ListShape;
import io.polytable.redis.model.row.BigEndian;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The indexes of lists that the changes of a window touch. A list is shown by index, so a push at its head shifts all
 * of it: then every index is touched, once per batch of changes. While only its tail changes, only the changed
 * elements are touched. The list's extent at the end of the previous window is kept as a note.
 */
final class ShownLists {
    /** Beyond this many lists in one window the tables are rebuilt, which bounds the memory. */
    private static final int LISTS_MAX = 500_000;

    private static final byte NOTE = 'l';
    private static final int NOTE_BYTES = 1 + 2 * Long.BYTES;

    private final Notes notes;
    private final Map<Long, Seen> seen = new LinkedHashMap<>();

    /** The positions that a list occupies in its rows. */
    private record Extent(boolean dense, long first, long size) {
        static Extent of(CollectionHeader header) {
            return ListShape.of(header) instanceof ListShape.Dense dense
                    ? new Extent(true, dense.first(), header.size())
                    : new Extent(false, 0, header.size());
        }

        Bytes encode() {
            byte[] note = new byte[NOTE_BYTES];
            note[0] = (byte) (dense ? 1 : 0);
            BigEndian.putLong(note, 1, first);
            BigEndian.putLong(note, 1 + Long.BYTES, size);
            return Bytes.of(note);
        }

        static Extent decode(Bytes note) {
            return new Extent(note.at(0) == 1, BigEndian.longAt(note, 1), BigEndian.longAt(note, 1 + Long.BYTES));
        }
    }

    /** What the window has seen of one list. */
    private static final class Seen {
        private final Optional<Extent> before;
        private Optional<Extent> now;
        private long least;
        private long most;

        /** Whether indexes stand for other elements than at the window's start. */
        private boolean moved;

        private boolean touched;

        Seen(Optional<Extent> before) {
            this.before = before;
            this.now = before;
            this.least = before.map(Extent::size).orElse(0L);
            this.most = least;
            this.moved = before.isEmpty();
        }

        void become(Extent next) {
            now = Optional.of(next);
            least = Math.min(least, next.size);
            most = Math.max(most, next.size);
            moved |= !next.dense || before.isEmpty() || !before.get().dense || before.get().first != next.first;
            touched = true;
        }
    }

    /** A range of a list's indexes, {@code to} exclusive. */
    record Indexes(long id, long from, long to) {}

    ShownLists(Notes notes) {
        this.notes = notes;
    }

    private Seen seen(long id) {
        Seen known = seen.get(id);
        if (known == null) {
            if (seen.size() >= LISTS_MAX) {
                throw new StoreException(
                        StoreError.POSITION_EXPIRED,
                        "More lists were changed than can be followed",
                        Map.of("lists", seen.size()));
            }
            known = new Seen(notes.read(List.of(key(id))).get(0).map(Extent::decode));
            seen.put(id, known);
        }
        return known;
    }

    /** Records that a list's header was written. */
    void header(CollectionHeader header) {
        seen(header.id()).become(Extent.of(header));
    }

    /** Records that an element's row was written or deleted. Answers its index if that is all that it touches. */
    OptionalLong element(long id, Bytes row) {
        Seen list = seen(id);
        if (list.moved || !list.before.map(Extent::dense).orElse(false)) {
            list.moved = true;
            list.touched = true;
            return OptionalLong.empty();
        }
        long index = ListShape.position(row) - list.before.orElseThrow().first;
        return index < 0 ? OptionalLong.empty() : OptionalLong.of(index);
    }

    /** Records that the list is gone. */
    void remove(long id) {
        Seen list = seen(id);
        list.now = Optional.empty();
        list.least = 0;
        list.moved = true;
    }

    /** All indexes shown of the list in this window or at its start. */
    Indexes all(long id) {
        return new Indexes(id, 0, seen(id).most);
    }

    /** What the changes since the last call touch, besides single elements. */
    List<Indexes> touched() {
        List<Indexes> touched = seen.entrySet().stream()
                .filter(list -> list.getValue().touched)
                .map(list -> new Indexes(
                        list.getKey(), list.getValue().moved ? 0 : list.getValue().least, list.getValue().most))
                .toList();
        seen.values().forEach(list -> list.touched = false);
        return touched;
    }

    /** Ends the window. */
    void end() {
        seen.forEach((id, list) ->
                list.now.ifPresentOrElse(now -> notes.put(key(id), now.encode()), () -> notes.remove(key(id))));
        seen.clear();
    }

    /** Begins a window, perhaps after an aborted one. */
    void begin() {
        seen.clear();
    }

    private static Bytes key(long id) {
        byte[] key = new byte[1 + Long.BYTES];
        key[0] = NOTE;
        BigEndian.putLong(key, 1, id);
        return Bytes.of(key);
    }
}
